// The embedded engine: SQLite inside Node, one file, for a bot of one process.
import { accessSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement, sql } from "kysely";
import { LRUCache } from "lru-cache";
import { ConfigError, ServiceError } from "../core/errors.ts";
import { type EngineOptions, interceptWith } from "./open-engine.ts";
import type { Log } from "../core/log.ts";
import type { Engine, Queries, Schema } from "./schema.ts";
import {
  SQLITE_CORRUPT,
  explainOpening,
  explainStatement,
  isBusy,
  isUniqueViolation,
  isUnopened,
} from "./sqlite-errors.ts";

/** How long a statement waits for another process. It waits inside SQLite and blocks this process. */
const BUSY_TIMEOUT_MS = 5_000;
const MEMORY = ":memory:";
/** How many prepared statements are cached. Most queries have one text; those with lists have one for each length. */
const MAX_STATEMENTS = 500;

/** Creates a missing file and its folder. Throws a ConfigError if the file is unusable, damaged or locked by a bot. */
export function openSqlite(
  name: string,
  { clock, log, meter, intercept, exclusive = true, readOnly = false, content }: Omit<EngineOptions, "url">,
): Engine {
  const file = name === MEMORY ? MEMORY : resolve(name);
  const opened = open(file, { exclusive, readOnly, content });
  meter?.gauges(() => ({
    database_file_bytes: [
      [{ file: "main" }, sizeOf(file)],
      [{ file: "wal" }, sizeOf(`${file}-wal`)],
    ],
  }));
  const queries: Queries = new Kysely<Schema>({
    dialect: new SqliteDialect({
      database: adaptForKysely({ ...opened, file, log, begin: readOnly ? "begin" : "begin immediate" }),
      ...(intercept && { onCreateConnection: interceptWith(intercept) }),
    }),
  });
  return {
    queries,
    now: () => sql<number>`${clock.now()}`,
    readNow: async () => clock.now(),
    checkClock: () => undefined,
    // A transaction is the only writer from its first statement on; see `adaptForKysely`.
    lock: async () => clock.now(),
    lockWithNext: async () => undefined,
    async writeWithCommit(transaction, write) {
      await transaction.executeQuery(write.compile());
    },
    unlimited: (work) => work(queries),
    async hasTable(table) {
      const { rows } =
        await sql`select 1 from sqlite_master where type = 'table' and name = ${table}`.execute(queries);
      return rows.length > 0;
    },
    // The table's name comes from the schema.
    rows: (transaction, table) =>
      transaction
        .selectFrom(table as keyof Schema)
        .selectAll()
        .stream(),
    // SQLite identifies the index only in its message, and only by its columns.
    isDuplicate: (error, { table, columns }) =>
      isUniqueViolation(error) &&
      error.message.endsWith(`: ${columns.map((column) => `${table}.${column}`).join(", ")}`),
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function open(
  file: string,
  {
    exclusive,
    readOnly,
    content,
  }: { exclusive: boolean; readOnly: boolean } & Pick<EngineOptions, "content">,
) {
  let database: DatabaseSync | undefined;
  let lock: DatabaseSync | undefined;
  function close(): void {
    database?.close();
    lock?.close();
  }
  if (file === MEMORY) {
    database = new DatabaseSync(file);
    if (content !== undefined) {
      database.deserialize(content);
    }
    return { database, close };
  }
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (readOnly) {
      if (found?.isFile() !== true) {
        throw new ConfigError([`There is no file ${file}.`]);
      }
      database = openReadOnly(file);
      return { database, close };
    }
    if (found?.isDirectory()) {
      throw new ConfigError([
        `DATABASE_URL names a folder: ${file}. Name a file in it, e.g. sqlite:${join(file, "signalbox.db")}.`,
      ]);
    }
    mkdirSync(dirname(file), { recursive: true });
    createFile(file);
    database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    // A read-only file can be opened too, but the first write would fail.
    accessSync(file, constants.W_OK);
    accessSync(dirname(file), constants.W_OK);
    // SQLite returns the file behind a symbolic link.
    lock = exclusive ? lockFile(database.location() ?? file) : undefined;
    // In WAL mode, writers do not block readers. With full synchronisation, a commit is on the disk before it succeeds.
    database.exec("pragma journal_mode = wal; pragma synchronous = full;");
    checkPages(database);
    return { database, close };
  } catch (error) {
    close();
    throw error instanceof ConfigError ? error : explainOpening(file, error, readOnly);
  }
}

/**
 * SQLite creates a write-ahead log even for reading, which fails on a disk that the system has made read-only, e.g. because
 * it is about to break. Without a log, the file alone is complete. https://www.sqlite.org/wal.html#read_only_databases
 */
function openReadOnly(file: string): DatabaseSync {
  const options = { timeout: BUSY_TIMEOUT_MS, readOnly: true };
  const database = new DatabaseSync(file, options);
  try {
    database.exec("pragma schema_version");
  } catch (error) {
    if (isUnopened(error) && !statSync(`${file}-wal`, { throwIfNoEntry: false })?.isFile()) {
      database.close();
      return new DatabaseSync(`${pathToFileURL(file).href}?immutable=1`, options);
    }
    // The first query fails in the same way, and its caller knows what the file is for.
  }
  return database;
}

/**
 * Creates a file that only its owner may read; the files that SQLite creates beside it get the same mode. An existing
 * file is not opened, because closing it would release the locks that this process has on it.
 * https://www.sqlite.org/howtocorrupt.html#posix_close_bug
 */
function createFile(file: string): void {
  if (!existsSync(file)) {
    writeFileSync(file, "", { flag: "a", mode: 0o600 });
  }
}

/**
 * Throws if the file's structure is damaged, by a bad disk or by a copy that was made during a write. It reads the
 * whole file: 100 MB take 0.1 s from the system's cache and 1.6 s from a disk of 60 MB/s. Checking the content of the
 * indexes too would take 0.7 s and 2.4 s. https://www.sqlite.org/pragma.html#pragma_quick_check
 */
function checkPages(database: DatabaseSync): void {
  const verdict = database.prepare("pragma quick_check(1)").get()?.["quick_check"];
  if (verdict !== "ok") {
    // The same code as if SQLite itself had found the damage.
    throw Object.assign(new Error(String(verdict)), { errcode: SQLITE_CORRUPT });
  }
}

/** Prepared statements are cached: parsing them took a sixth of a tick of boards. */
function adaptForKysely(
  deps: ReturnType<typeof open> & {
    readonly file: string;
    readonly log: Log;
    readonly begin: string;
  },
): SqliteDatabase {
  const { database, close, file, log, begin } = deps;
  const statements = new LRUCache<string, SqliteStatement>({ max: MAX_STATEMENTS });
  /** The failure after which SQLite rolled back the open transaction automatically, as it does when the disk is full. */
  let rolledBackBy: Error | undefined;
  let isDamageLogged = false;

  /** After such a rollback it throws, because the transaction's next statements would be committed one by one. */
  function attempt<T>(act: () => T): T {
    if (rolledBackBy !== undefined) {
      throw rolledBackBy;
    }
    const { isTransaction } = database;
    try {
      return act();
    } catch (error) {
      const explained = explainStatement(error);
      if (isTransaction && !database.isTransaction) {
        rolledBackBy = explained;
      }
      if (!isDamageLogged && explained instanceof ServiceError && explained.reason === "damaged") {
        isDamageLogged = true;
        log.error({ file }, "database damaged, restore a backup");
      }
      throw explained;
    }
  }

  /** Kysely always rolls back after a failure. With nothing to roll back, SQLite's error would hide that failure. */
  function rollBack(): ReturnType<SqliteStatement["run"]> {
    rolledBackBy = undefined;
    if (database.isTransaction) {
      database.exec("rollback");
    }
    return { changes: 0, lastInsertRowid: 0 };
  }

  function prepare(text: string): SqliteStatement {
    // A plain `begin` only takes a read lock, and fails at its first write if another process wrote in between.
    const statement = database.prepare(text === "begin" ? begin : text);
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => attempt(() => statement.all(...values(parameters))),
      run: (parameters) => attempt(() => statement.run(...values(parameters))),
      // A separate statement, because the cached one may be used before the last row has been read.
      iterate: (parameters) => database.prepare(text).iterate(...values(parameters)),
    };
  }

  const rollback = { ...prepare("rollback"), run: rollBack };
  return {
    close,
    prepare(text) {
      if (text === "rollback") {
        return rollback;
      }
      const kept = statements.get(text) ?? attempt(() => prepare(text));
      statements.set(text, kept);
      return kept;
    },
  };
}

/** Kysely passes on the parameters of our queries: text, numbers and null. */
function values(parameters: readonly unknown[]): readonly SQLInputValue[] {
  return parameters as readonly SQLInputValue[];
}

// Allows one bot for each SQLite file. Two would both do the same work, and each would believe that it is alone.

/** The next bot may be started a moment before the previous one has stopped, which mostly takes less. */
const WAIT_MS = 1_000;

/**
 * Locks a file for this bot, until the lock is closed or its process ends in any way. Throws a ConfigError if another
 * bot, in this process or any other, has the lock.
 *
 * The lock is an open transaction on an empty SQLite file beside the database. The system releases it when the process
 * ends, and every container that shares the folder sees it. The database itself stays open to others, such as a backup.
 * The empty file is not removed: a bot that starts during the removal could lock a file that no other bot sees.
 */
function lockFile(file: string): DatabaseSync {
  const beside = `${file}-lock`;
  let lock: DatabaseSync | undefined;
  try {
    createFile(beside);
    lock = new DatabaseSync(beside, { timeout: WAIT_MS });
    // With the journal in memory, nothing is ever written, and a killed process leaves no journal behind.
    lock.exec("pragma journal_mode = memory; begin exclusive");
    return lock;
  } catch (error) {
    lock?.close();
    throw isBusy(error)
      ? new ConfigError(
          [
            `DATABASE_URL names a file that another bot uses: ${file}. Stop that bot, or set DATABASE_URL to another file.`,
          ],
          // The other bot may be about to stop.
          { isTransient: true },
        )
      : explainOpening(beside, error);
  }
}
