// The embedded engine: SQLite inside Node, one file, for a bot of one process.
import { accessSync, constants, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { Kysely, SqliteDialect, type SqliteDatabase, type SqliteStatement } from "kysely";
import { LRUCache } from "lru-cache";
import { ConfigError, ServiceError } from "../core/errors.ts";
import type { Engine, Schema } from "./schema.ts";

/** How long a statement waits for another process. It waits inside SQLite, and this process with it. */
const BUSY_TIMEOUT_MS = 5_000;
const BUSY_RETRY_MS = 10;
const MEMORY = ":memory:";
/** Of most queries there is one text, of those with lists one for each length. */
const MOST_STATEMENTS = 500;

/** Opens a file, whose folder is made where it is missing, or `:memory:`. Throws a ConfigError where it cannot. */
export function openSqlite(file: string): Engine {
  const database = open(file === MEMORY ? MEMORY : resolve(file));
  return {
    queries: new Kysely<Schema>({ dialect: new SqliteDialect({ database: adapt(database) }) }),
    // A transaction is the only writer from its first statement on: see `adapt`.
    lock: async () => undefined,
    // Which index it was, SQLite says nowhere but in its words, and by its columns.
    isDuplicate: (error, { table, columns }) =>
      error instanceof Error &&
      errcodeOf(error) === SQLITE_CONSTRAINT_UNIQUE &&
      error.message.endsWith(`: ${columns.map((column) => `${table}.${column}`).join(", ")}`),
  };
}

function open(path: string): DatabaseSync {
  try {
    if (path === MEMORY) {
      return new DatabaseSync(path);
    }
    mkdirSync(dirname(path), { recursive: true });
    const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    useWriteAheadLog(database);
    // What may only be read opens as well, and fails at the first thing that is to be remembered.
    accessSync(path, constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    return database;
  } catch (error) {
    throw new ConfigError([explainOpening(path, error)]);
  }
}

/** https://www.sqlite.org/rescode.html, and the system's own words. */
const NO_ACCESS: ReadonlySet<unknown> = new Set([3, 8, 14, "EACCES", "EPERM", "EROFS"]);

function explainOpening(path: string, error: unknown): string {
  const errcode = errcodeOf(error);
  // Of a long code the last byte says what it is about.
  const code = typeof errcode === "number" ? errcode & 0xff : codeOf(error);
  if (NO_ACCESS.has(code)) {
    return `DATABASE_URL names a file that cannot be written: ${path}. Whoever the bot runs as must be allowed to write it and its folder.`;
  }
  const reason = error instanceof Error ? error.message : String(error);
  return `DATABASE_URL names a file that cannot be opened as a database: ${path} (${reason}).`;
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

/**
 * The little that Kysely asks of a library for SQLite. Statements are kept: to read their text took a sixth of what a
 * tick of boards takes.
 */
function adapt(database: DatabaseSync): SqliteDatabase {
  const statements = new LRUCache<string, SqliteStatement>({ max: MOST_STATEMENTS });
  function prepare(text: string): SqliteStatement {
    // A plain `begin` would read first and fail at its first write if another process wrote in between.
    const statement = database.prepare(text === "begin" ? "begin immediate" : text);
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => unlessBusy(() => statement.all(...values(parameters))),
      run: (parameters) => unlessBusy(() => statement.run(...values(parameters))),
      // One of its own: the kept one may be used before the last row is read.
      iterate: (parameters) => database.prepare(text).iterate(...values(parameters)),
    };
  }
  return {
    close: () => database.close(),
    prepare(text) {
      const kept = statements.get(text) ?? prepare(text);
      statements.set(text, kept);
      return kept;
    },
  };
}

/** Kysely passes on what our queries hold: text, numbers and null. */
function values(parameters: readonly unknown[]): readonly SQLInputValue[] {
  return parameters as readonly SQLInputValue[];
}

/** https://www.sqlite.org/rescode.html */
const SQLITE_BUSY = 5;
const SQLITE_CONSTRAINT_UNIQUE = 2_067;

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
  return errcodeOf(error) === SQLITE_BUSY;
}

function errcodeOf(error: unknown): unknown {
  return error instanceof Error && "errcode" in error ? error.errcode : undefined;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
