// Connections to PostgreSQL that break during a query, inside a transaction, or while idle.
import { sql } from "kysely";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { openPostgres } from "../../src/storage/postgres.ts";
import { openCuttableProxy, type CuttableProxy } from "../support/cuttable-proxy.ts";
import { findPostgres } from "../support/databases.ts";
import { openTcpProxy } from "../support/tcp-proxy.ts";
import { startPostgres, type PostgresProcess } from "../support/postgres-process.ts";

const { missing } = await findPostgres();
const log = createLog({ level: "silent", secrets: [] });
const UNAVAILABLE = { name: "ServiceError", service: "storage", kind: "unavailable" };
const POOL_SIZE = 3;

/** Timeouts in real milliseconds, because only waiting reveals a connection that is cut off silently. */
const TIMEOUTS = { connectMs: 5_000, queryMs: 700 };

describe.skipIf(missing !== undefined)("a connection to PostgreSQL", () => {
  // The tests break this server, so they do not share it with others.
  let server: PostgresProcess;
  let proxy: CuttableProxy;

  beforeAll(async () => {
    server = await startPostgres();
    proxy = await openCuttableProxy(Number(new URL(server.url).port));
  });
  afterAll(async () => {
    await proxy?.[Symbol.asyncDispose]();
    await server?.stop();
  });

  async function open(port = proxy.port) {
    const url = new URL(`${server.url}/postgres?pool_size=${POOL_SIZE}`);
    url.port = String(port);
    const engine = await openPostgres({ url: url.href, clock: systemClock, log, timeouts: TIMEOUTS });
    onTestFinished(() => engine.queries.destroy());
    return engine.queries;
  }

  async function terminate(): Promise<void> {
    const client = new Client({ connectionString: `${server.url}/postgres` });
    await client.connect();
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'signalbox'",
    );
    await client.end();
  }

  const BREAKS: Readonly<Record<string, () => unknown>> = {
    "an administrator ends": terminate,
    "a restart of the server ends": () => server.restart("fast"),
    "a crash of the server ends": () => server.restart("immediate"),
    "is reset": () => proxy.cut("reset"),
    "is closed": () => proxy.cut("close"),
    "falls silent": () => proxy.cut("silence"),
    freezes: () => {
      const goOn = server.freeze();
      onTestFinished(goOn);
    },
  };

  type Queries = Awaited<ReturnType<typeof open>>;

  /** Uses every connection of the pool at the same time. */
  async function useAll(queries: Queries): Promise<void> {
    const all = Promise.withResolvers<void>();
    let begun = 0;
    const use = () =>
      queries.transaction().execute(async (transaction) => {
        await sql`select 1`.execute(transaction);
        begun += 1;
        if (begun === POOL_SIZE) {
          all.resolve();
        }
        await all.promise;
      });
    const uses = Promise.all(Array.from({ length: POOL_SIZE }, use));
    // If one fails, the others must not wait for it. The first catch is for the case that none is waiting yet.
    all.promise.catch(() => undefined);
    uses.catch(all.reject);
    await uses;
  }

  /** Waits until all connections work again; until then, only ServiceErrors may occur. */
  async function recover(queries: Queries): Promise<true> {
    const use = () => useAll(queries).then(() => "recovered", mustBeUnavailable);
    await expect.poll(use).toBe("recovered");
    return true;
  }

  function mustBeUnavailable(error: unknown): unknown {
    expect(error).toMatchObject(UNAVAILABLE);
    return error;
  }

  describe.each(Object.keys(BREAKS))("that %s", (way) => {
    const breakIt = async () => void (await BREAKS[way]?.());

    it("fails a query in progress as unavailable, then recovers", async () => {
      const queries = await open();
      const asking = sql`select pg_sleep(30)`.execute(queries);
      const failure = asking.catch((error: unknown) => error);
      await expect.poll(() => isSleeping()).toBe(true);
      await breakIt();
      expect(await failure).toMatchObject(UNAVAILABLE);
      expect(await recover(queries)).toBe(true);
    });

    it("fails a transaction in progress as unavailable, then recovers", async () => {
      const queries = await open();
      const working = queries.transaction().execute(async (transaction) => {
        await sql`select 1`.execute(transaction);
        await breakIt();
        await sql`select 1`.execute(transaction);
      });
      await expect(working).rejects.toMatchObject(UNAVAILABLE);
      expect(await recover(queries)).toBe(true);
    });

    it("recovers from a break while idle", async () => {
      const queries = await open();
      await useAll(queries);
      await breakIt();
      expect(await recover(queries)).toBe(true);
    });
  });

  it("that the server has closed unnoticed fails the next query as unavailable", async () => {
    const queries = await open(Number(new URL(server.url).port));
    const working = queries.transaction().execute(async (transaction) => {
      await sql`set local idle_in_transaction_session_timeout = 100`.execute(transaction);
      // As if this process were suspended: it writes before it reads that the connection is closed, and gets EPIPE.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
      await sql`select 1`.execute(transaction);
    });
    await expect(working).rejects.toMatchObject(UNAVAILABLE);
    expect(await recover(queries)).toBe(true);
  });

  it("that is accepted but gets no answer fails the start as unavailable", async () => {
    await using pooler = await openTcpProxy(Number(new URL(server.url).port), (near, far) => {
      near.on("data", (bytes) => bytes.includes("pg_is_in_recovery") || far.write(bytes));
      far.pipe(near);
    });
    await expect(open(pooler.port)).rejects.toMatchObject(UNAVAILABLE);
  });

  it.each(["25P03", "25P04", "40001", "40P01"])(
    "fails as unavailable if the server ends the transaction with %s",
    async (code) => {
      const queries = await open();
      const raising = sql.raw(`do $$ begin raise exception 'no' using errcode = '${code}'; end $$`);
      await expect(raising.execute(queries)).rejects.toMatchObject(UNAVAILABLE);
      expect(await recover(queries)).toBe(true);
    },
  );

  it("fails with the reason if the server's disk is full", async () => {
    const queries = await open();
    const raising = sql.raw("do $$ begin raise exception 'no' using errcode = 'disk_full'; end $$");
    await expect(raising.execute(queries)).rejects.toMatchObject({ ...UNAVAILABLE, reason: "disk full" });
    expect(await recover(queries)).toBe(true);
  });

  async function isSleeping(): Promise<boolean> {
    const client = new Client({ connectionString: `${server.url}/postgres` });
    await client.connect();
    const { rowCount } = await client.query(
      "select 1 from pg_stat_activity where application_name = 'signalbox' and query like '%pg_sleep(30)%'",
    );
    await client.end();
    return (rowCount ?? 0) > 0;
  }
});
