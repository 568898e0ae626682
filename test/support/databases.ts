// Empty databases for tests, of both engines: a file each on SQLite, a database each on the run's PostgreSQL server.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { inject } from "vitest";
import { TABLES_TEMPLATE } from "./postgres-server.ts";
import { MEMORY_FOLDER } from "./memory-folder.ts";

/** One empty database. */
export interface EmptyDatabase extends AsyncDisposable {
  /** For `DATABASE_URL`. */
  readonly url: string;
}

/** A kind of database that tests can have as many of as they like. */
export interface DatabaseKind {
  readonly name: "sqlite" | "postgres";
  /** Why there is none of this kind here; `undefined` where there is. */
  readonly missing: string | undefined;
  create(): Promise<EmptyDatabase>;
  /** One without tables, as an operator makes it. */
  createBare(): Promise<EmptyDatabase>;
}

const sqlite: DatabaseKind = {
  name: "sqlite",
  missing: undefined,
  create: createFile,
  createBare: createFile,
};

async function createFile(): Promise<EmptyDatabase> {
  const folder = await mkdtemp(join(MEMORY_FOLDER, "signalbox-sqlite-"));
  return {
    url: `sqlite:${join(folder, "data", "test.db")}`,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Starts the run's PostgreSQL server where nobody has yet. Says in one line why there is none. */
export async function findPostgres(): Promise<DatabaseKind> {
  const answer = await fetch(inject("postgresDoor"));
  const text = await answer.text();
  if (!answer.ok) {
    process.stdout.write(`skipped on PostgreSQL, which does not start here: ${text}\n`);
  }
  const create = (template: string) => copyDatabase(text, template);
  return {
    name: "postgres",
    missing: answer.ok ? undefined : text,
    create: () => create(TABLES_TEMPLATE),
    createBare: () => create("template1"),
  };
}

async function copyDatabase(serverUrl: string, template: string): Promise<EmptyDatabase> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  // Its files are copied at once: through the log, as by default, it takes twice as long.
  await query(`${serverUrl}/postgres`, `create database ${name} template ${template} strategy file_copy`);
  return {
    url: `${serverUrl}/${name}`,
    [Symbol.asyncDispose]: () => query(`${serverUrl}/postgres`, `drop database ${name} with (force)`),
  };
}

/** Both kinds. */
export async function findDatabases(): Promise<readonly DatabaseKind[]> {
  return [sqlite, await findPostgres()];
}

async function query(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}
