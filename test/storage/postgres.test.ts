// A PostgreSQL server while the bot runs.
import { Client } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { openPostgres } from "../../src/storage/postgres.ts";
import { findPostgres } from "../support/databases.ts";
import { openTestDatabase } from "../open.ts";

const postgres = await findPostgres();
const log = createLog({ level: "silent", secrets: [] });

async function query(url: string, text: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<object>(text);
  await client.end();
  return rows;
}

describe.skipIf(postgres.missing !== undefined)("a PostgreSQL server", () => {
  it("is reconnected to if it has closed all connections", async () => {
    await using empty = await postgres.create();
    const { leftGuilds } = await openTestDatabase(empty.url);
    await leftGuilds.add("1", 1_000);
    await query(
      empty.url,
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    // Queries may still get connections that are not yet known to be dead, one after the other.
    const failures: unknown[] = [];
    const ask = () => leftGuilds.leftBefore(2_000).catch((error: unknown) => void failures.push(error));
    await expect.poll(ask).toEqual(["1"]);
    for (const failure of failures) {
      expect(failure).toMatchObject({ service: "storage", kind: "unavailable" });
    }
  });

  it("gets a transaction's last write together with the commit, and stores all of the transaction or nothing", async () => {
    await using empty = await postgres.create();
    const { queries, writeWithCommit } = await openPostgres({ url: empty.url, clock: systemClock, log });
    onTestFinished(() => queries.destroy());
    const write = (first: string | undefined, last: string, end = (): void => undefined) =>
      queries.transaction().execute(async (transaction) => {
        const insert = (userId: string) =>
          transaction.insertInto("recentChoices").values({ userId, kind: "", value: "", usedAtMs: 0 });
        if (first !== undefined) {
          await insert(first).execute();
        }
        await writeWithCommit(transaction, insert(last));
        end();
      });
    const kept = async () =>
      (await queries.selectFrom("recentChoices").select("userId").orderBy("userId").execute()).map(
        ({ userId }) => userId,
      );
    await expect(write("1", "1")).rejects.toThrow(/duplicate key/);
    const fail = (): never => {
      throw new Error("no");
    };
    await expect(write("1", "2", fail)).rejects.toThrow("no");
    await expect(write(undefined, "2", fail)).rejects.toThrow("no");
    expect(await kept()).toEqual([]);
    await write("1", "2");
    await write(undefined, "3");
    expect(await kept()).toEqual(["1", "2", "3"]);
  });

  it("writes the boards' demand for calls only if it has changed", async () => {
    await using empty = await postgres.create();
    const { spending } = await openTestDatabase(empty.url);
    const wantAs = async (calls: number) => {
      await spending.setBoardsDemand("transport", calls);
      return query(empty.url, 'select "boardsWant", xmin::text from closings');
    };
    const written = await wantAs(5);
    expect(await wantAs(5)).toEqual(written);
    expect(await wantAs(6)).not.toEqual(written);
  });

  it("is unavailable, which is not a bug, if its database is gone", async () => {
    const empty = await postgres.create();
    const { leftGuilds } = await openTestDatabase(empty.url);
    await empty[Symbol.asyncDispose]();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const asking = leftGuilds.leftBefore(2_000);
      await expect(asking).rejects.toThrow(ServiceError);
      await expect(asking).rejects.toMatchObject({ service: "storage", kind: "unavailable" });
    }
  });
});
