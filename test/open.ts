// Databases for tests, which exist until the test is over.
import { onTestFinished } from "vitest";
import { type SandboxClock, createSandboxClock } from "../sandbox/clock/clock.ts";
import { type Clock, systemClock } from "../src/core/clock.ts";
import { createLog } from "../src/core/log.ts";
import { type Database, type DatabaseOptions, openDatabase } from "../src/database.ts";
import type { Intercept } from "../src/storage/open-engine.ts";
import { type DatabaseKind, type EmptyDatabase, readTables } from "./support/databases.ts";

const log = createLog({ level: "silent", secrets: [] });

/**
 * Opens a database until the test is over; it may be open several times at once. With a `clock`, the database's own
 * time follows that clock too.
 */
export async function openTestDatabase(url: string, clock?: Clock, intercept?: Intercept): Promise<Database> {
  const time = clock === undefined ? { clock: systemClock } : { clock, databaseNow: () => clock.now() };
  const database = await openDatabase({
    url,
    log,
    exclusive: false,
    intercept,
    content: await readTables(),
    ...time,
  });
  onTestFinished(() => database.close());
  return database;
}

/** Opens a database in memory, which the caller closes. */
export async function openMemoryDatabase(options: Pick<DatabaseOptions, "clock" | "log">): Promise<Database> {
  return openDatabase({ url: "sqlite::memory:", content: await readTables(), ...options });
}

/** Opens a database on a clock that stands still until it is advanced. */
export async function openDatabaseOnStillClock(
  url: string,
  clock = createSandboxClock({ atMs: 10_000, mode: "still" }),
  intercept?: Intercept,
): Promise<Database & { readonly clock: SandboxClock }> {
  return { ...(await openTestDatabase(url, clock, intercept)), clock };
}

/**
 * Opens a reused database twice, as two processes do. On SQLite, the second would block, so both are the same connection;
 * plan/processes.test.ts runs two processes.
 */
export async function openTwiceOnStillClock(kind: DatabaseKind) {
  const url = await reuseTestDatabase(kind);
  const first = await openDatabaseOnStillClock(url);
  const second = kind.name === "sqlite" ? first : await openDatabaseOnStillClock(url, first.clock);
  return [first, second] as const;
}

/** Creates a database with empty tables. Returns its address. */
export async function createTestDatabase(kind: DatabaseKind): Promise<string> {
  return keep(await kind.create());
}

/** The same for a test that changes nothing but rows; faster on PostgreSQL. */
export async function reuseTestDatabase(kind: DatabaseKind): Promise<string> {
  return keep(await kind.reuse());
}

/** Creates a database without tables. Returns its address. */
export async function createDatabaseWithoutTables(kind: DatabaseKind): Promise<string> {
  return keep(await kind.createWithoutTables());
}

function keep(empty: EmptyDatabase): string {
  // Callbacks run in reverse order: a database is closed before it is dropped.
  onTestFinished(() => empty[Symbol.asyncDispose]());
  return empty.url;
}
