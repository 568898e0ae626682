// Databases for tests of the storage, which are there until their test is over.
import { onTestFinished } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { openDatabase, type Database } from "../../src/storage/database.ts";
import type { DatabaseKind, EmptyDatabase } from "../support/databases.ts";

const log = createLog({ level: "silent", secrets: [] });

/** Opens a database until the test is over. */
export async function openFor(url: string): Promise<Database> {
  const database = await openDatabase({ url, clock: systemClock, log });
  onTestFinished(() => database.close());
  return database;
}

/** The address of an empty database. */
export async function createFor(kind: DatabaseKind): Promise<string> {
  return keep(await kind.create());
}

/** The address of one without tables. */
export async function createBareFor(kind: DatabaseKind): Promise<string> {
  return keep(await kind.createBare());
}

function keep(empty: EmptyDatabase): string {
  // The last to be registered is the first to be called: a database is closed before it is dropped.
  onTestFinished(() => empty[Symbol.asyncDispose]());
  return empty.url;
}
