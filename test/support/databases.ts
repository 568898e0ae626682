// Empty databases for tests, of both engines: a file each on SQLite, a database each on the run's PostgreSQL server.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { inject } from "vitest";

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
}

const sqlite: DatabaseKind = {
  name: "sqlite",
  missing: undefined,
  async create() {
    const folder = await mkdtemp(join(tmpdir(), "signalbox-sqlite-"));
    return {
      url: `sqlite:${join(folder, "data", "test.db")}`,
      [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
    };
  },
};

/** Starts the run's PostgreSQL server where nobody has yet. Says in one line why there is none. */
export async function findPostgres(): Promise<DatabaseKind> {
  const answer = await fetch(inject("postgresDoor"));
  const text = await answer.text();
  if (!answer.ok) {
    process.stdout.write(`skipped on PostgreSQL, which does not start here: ${text}\n`);
  }
  return {
    name: "postgres",
    missing: answer.ok ? undefined : text,
    async create() {
      const name = `test_${randomUUID().replaceAll("-", "")}`;
      await query(`${text}/postgres`, `create database ${name}`);
      return {
        url: `${text}/${name}`,
        [Symbol.asyncDispose]: () => query(`${text}/postgres`, `drop database ${name} with (force)`),
      };
    },
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
