// Connections to PostgreSQL that break: while a query is under way, inside a transaction, and while nobody uses them.
import { sql } from "kysely";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { openPostgres } from "../../src/storage/postgres.ts";
import { openCuttableProxy, type CuttableProxy } from "../support/cuttable-proxy.ts";
import { findPostgres } from "../support/databases.ts";
import { startPostgres, type PostgresProcess } from "../support/postgres-process.ts";

const { missing } = await findPostgres();
const log = createLog({ level: "silent", secrets: [] });
const UNAVAILABLE = { name: "ServiceError", service: "storage", kind: "unavailable" };
const POOL_SIZE = 3;

/** Real milliseconds: what is cut off without a word is only noticed by waiting. */
const PATIENCE = { connectMs: 5_000, queryMs: 700 };

describe.skipIf(missing !== undefined)("a connection to PostgreSQL", () => {
  // Not the server that other tests share.
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

  async function open() {
    const url = new URL(`${server.url}/postgres?pool_size=${POOL_SIZE}`);
    url.port = String(proxy.port);
    const engine = await openPostgres({ url: url.href, clock: systemClock, log, timeouts: PATIENCE });
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

  const WAYS: Readonly<Record<string, () => unknown>> = {
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

  /** Every connection of the pool can be had, all at once. */
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
    // Where one fails, the others must not wait for it; none may be waiting yet.
    all.promise.catch(() => undefined);
    uses.catch(all.reject);
    await uses;
  }

  /** Nothing but ServiceErrors comes of it until it works again, and then all connections do. */
  async function heal(queries: Queries): Promise<true> {
    const use = () => useAll(queries).then(() => "healed", mustBeUnavailable);
    await expect.poll(use).toBe("healed");
    return true;
  }

  function mustBeUnavailable(error: unknown): unknown {
    expect(error).toMatchObject(UNAVAILABLE);
    return error;
  }

  describe.each(Object.keys(WAYS))("that %s", (way) => {
    const breakIt = async () => void (await WAYS[way]?.());

    it("with a query under way", async () => {
      const queries = await open();
      const asking = sql`select pg_sleep(30)`.execute(queries);
      const failure = asking.catch((error: unknown) => error);
      await expect.poll(() => isSleeping()).toBe(true);
      await breakIt();
      expect(await failure).toMatchObject(UNAVAILABLE);
      expect(await heal(queries)).toBe(true);
    });

    it("inside a transaction", async () => {
      const queries = await open();
      const working = queries.transaction().execute(async (transaction) => {
        await sql`select 1`.execute(transaction);
        await breakIt();
        await sql`select 1`.execute(transaction);
      });
      await expect(working).rejects.toMatchObject(UNAVAILABLE);
      expect(await heal(queries)).toBe(true);
    });

    it("while nobody uses it", async () => {
      const queries = await open();
      await useAll(queries);
      await breakIt();
      expect(await heal(queries)).toBe(true);
    });
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
