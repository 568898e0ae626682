// A server that goes away while the bot runs.
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../src/core/errors.ts";
import { findPostgres } from "../support/databases.ts";
import { openFor } from "../open.ts";

const postgres = await findPostgres();

async function query(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}

describe.skipIf(postgres.missing !== undefined)("a PostgreSQL server", () => {
  it("may cut all connections: the next question opens new ones", async () => {
    await using empty = await postgres.create();
    const { leftGuilds } = await openFor(empty.url);
    await leftGuilds.add("1", 1_000);
    await query(
      empty.url,
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    // Questions may still meet connections that are not known to be dead, one after the other.
    const failures: unknown[] = [];
    const ask = () => leftGuilds.leftBefore(2_000).catch((error: unknown) => void failures.push(error));
    await expect.poll(ask).toEqual(["1"]);
    for (const failure of failures) {
      expect(failure).toMatchObject({ service: "storage", kind: "unavailable" });
    }
  });

  it("that is away is unavailable, which is no bug of ours", async () => {
    const empty = await postgres.create();
    const { leftGuilds } = await openFor(empty.url);
    await empty[Symbol.asyncDispose]();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const asking = leftGuilds.leftBefore(2_000);
      await expect(asking).rejects.toThrow(ServiceError);
      await expect(asking).rejects.toMatchObject({ service: "storage", kind: "unavailable" });
    }
  });
});
