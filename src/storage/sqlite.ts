// The embedded engine: SQLite inside Node, one file, for a bot of one process.
import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { Kysely, SqliteDialect, type SqliteDatabase } from "kysely";
import { ConfigError, ServiceError } from "../core/errors.ts";
import type { Engine, Schema } from "./schema.ts";

/** How long a statement waits for another process. It waits inside SQLite, and this process with it. */
const BUSY_TIMEOUT_MS = 5_000;
const BUSY_RETRY_MS = 10;
const MEMORY = ":memory:";

/** Opens a file, whose folder is made where it is missing, or `:memory:`. Throws a ConfigError where it cannot. */
export function openSqlite(file: string): Engine {
  const database = open(file === MEMORY ? MEMORY : resolve(file));
  return {
    queries: new Kysely<Schema>({ dialect: new SqliteDialect({ database: adapt(database) }) }),
    // A transaction is the only writer from its first statement on: see `adapt`.
    lock: async () => undefined,
  };
}

function open(path: string): DatabaseSync {
  try {
    if (path !== MEMORY) {
      mkdirSync(dirname(path), { recursive: true });
    }
    const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    useWriteAheadLog(database);
    return database;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError([`DATABASE_URL names a file that cannot be opened as a database: ${reason}.`]);
  }
}

/**
 * Writers do not block readers then; a commit is on the disk before it counts. SQLite does not wait for others while
 * it changes the journal (several processes may start at once on a new file), so the waiting is done here, in the same
 * way: the process stands still. https://www.sqlite.org/wal.html#sometimes_queries_return_sqlite_busy_in_wal_mode
 */
function useWriteAheadLog(database: DatabaseSync): void {
  for (let waitedMs = 0; ; waitedMs += BUSY_RETRY_MS) {
    try {
      database.exec("pragma journal_mode = wal; pragma synchronous = full;");
      return;
    } catch (error) {
      if (!isBusy(error) || waitedMs >= BUSY_TIMEOUT_MS) {
        throw error;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_RETRY_MS);
    }
  }
}

/** The little that Kysely asks of a library for SQLite. */
function adapt(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(text) {
      // A plain `begin` would read first and fail at its first write if another process wrote in between.
      const statement = database.prepare(text === "begin" ? "begin immediate" : text);
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => unlessBusy(() => statement.all(...values(parameters))),
        run: (parameters) => unlessBusy(() => statement.run(...values(parameters))),
        iterate: (parameters) => statement.iterate(...values(parameters)),
      };
    },
  };
}

/** Kysely passes on what our queries hold: text, numbers and null. */
function values(parameters: readonly unknown[]): readonly SQLInputValue[] {
  return parameters as readonly SQLInputValue[];
}

const SQLITE_BUSY = 5;

/** Another process that does not let go of the file is no bug of ours. */
function unlessBusy<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (isBusy(error)) {
      throw new ServiceError("storage", "unavailable", "another process holds the file", { cause: error });
    }
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}
