// Empty databases for tests: a file each on SQLite, and a database each on the run's PostgreSQL server.
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { inject } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { openDatabase } from "../../src/database.ts";
import { TABLES_TEMPLATE } from "./postgres-server.ts";
import { MEMORY_FOLDER } from "./memory-folder.ts";

/** An empty database, with its tables unless it was created without them. */
export interface EmptyDatabase extends AsyncDisposable {
  /** For `DATABASE_URL`. */
  readonly url: string;
}

/** An engine on which tests can create databases. */
export interface DatabaseKind {
  readonly name: "sqlite" | "postgres";
  /** Why it is not available here; `undefined` if it is. */
  readonly missing: string | undefined;
  create(): Promise<EmptyDatabase>;
  /** The same for a test that changes nothing but rows: an earlier such test's database, emptied. */
  reuse(): Promise<EmptyDatabase>;
  /** Creates one without tables, as an operator does. */
  createWithoutTables(): Promise<EmptyDatabase>;
}

/** SQLite, which every machine has. */
export const sqlite: DatabaseKind = {
  name: "sqlite",
  missing: undefined,
  create: createFileWithTables,
  reuse: createFileWithTables,
  createWithoutTables: createFile,
};

const FILE = "test.db";

/** Copying it is faster than creating the tables again, which takes 10 ms. */
let tables: Promise<Buffer> | undefined;

async function createFileWithTables(): Promise<EmptyDatabase> {
  const empty = await createFile();
  await mkdir(join(empty.folder, "data"));
  await writeFile(join(empty.folder, "data", FILE), await readTables(), { mode: 0o600 });
  return empty;
}

/** The bytes of a file with empty tables, with which a database in memory can begin. */
export function readTables(): Promise<Buffer> {
  tables ??= makeTables();
  return tables;
}

async function makeTables(): Promise<Buffer> {
  await using empty = await createFile();
  const log = createLog({ level: "silent", secrets: [] });
  const database = await openDatabase({ url: empty.url, clock: systemClock, log });
  await database.close();
  const bytes = await readFile(join(empty.folder, "data", FILE));
  // A database in memory has no write-ahead log. https://sqlite.org/c3ref/deserialize.html
  return bytes.fill(1, 18, 20);
}

async function createFile(): Promise<EmptyDatabase & { readonly folder: string }> {
  const folder = await mkdtemp(join(MEMORY_FOLDER, "signalbox-sqlite-"));
  return {
    folder,
    url: `sqlite:${join(folder, "data", FILE)}`,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Starts the run's PostgreSQL server if no test has yet. If it cannot start, prints why in one line. */
export async function findPostgres(): Promise<DatabaseKind> {
  const answer = await fetch(inject("postgresUrl"));
  const text = await answer.text();
  if (!answer.ok) {
    process.stdout.write(`skipped on PostgreSQL, which does not start here: ${text}\n`);
  }
  const create = (template: string) => copyDatabase(text, template);
  return {
    name: "postgres",
    missing: answer.ok ? undefined : text,
    create: () => create(TABLES_TEMPLATE),
    async reuse() {
      const url = emptied.pop() ?? (await create(TABLES_TEMPLATE)).url;
      return {
        url,
        async [Symbol.asyncDispose]() {
          await query(url, EMPTY_TABLES);
          emptied.push(url);
        },
      };
    },
    createWithoutTables: () => create("template1"),
  };
}

const emptied: string[] = [];

const EMPTY_TABLES = `do $$
  declare name text;
  begin
    for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'migrations' loop
      execute format('delete from %I', name);
    end loop;
  end
$$`;

async function copyDatabase(serverUrl: string, template: string): Promise<EmptyDatabase> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  // Copies the files directly: through the log, which is the default, it takes twice as long.
  await query(`${serverUrl}/postgres`, `create database ${name} template ${template} strategy file_copy`);
  return {
    url: `${serverUrl}/${name}`,
    [Symbol.asyncDispose]: () => query(`${serverUrl}/postgres`, `drop database ${name} with (force)`),
  };
}

export async function findDatabases(): Promise<readonly DatabaseKind[]> {
  return [sqlite, await findPostgres()];
}

async function query(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}
