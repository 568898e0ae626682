// Opens the engine that a database's URL names: SQLite for one process, PostgreSQL for several.
import { resolve } from "node:path";
import { type DatabaseConnection, sql } from "kysely";
import type { Clock } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { type Meter, noMeter } from "../core/meter.ts";
import type { Engine } from "./schema.ts";

export interface EngineOptions {
  /** `sqlite:` and a file, `sqlite::memory:`, or `postgres://…` */
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter?: Meter;
  readonly databaseNow?: (() => number) | undefined;
  /** Default true: locks a file, and fails if another bot uses it. False opens it anyway, e.g. for a copy. */
  readonly exclusive?: boolean;
  /** Default false. If true, the file must exist, and its folder need not be writable. */
  readonly readOnly?: boolean;
  readonly intercept?: Intercept | undefined;
  /** The initial content of a database in memory: the bytes of a SQLite file. Default: none. */
  readonly content?: Uint8Array | undefined;
}

const SQLITE_SCHEME = "sqlite:";

/** Whether the database is a file on this machine, which only one process uses. */
export function isEmbedded(url: string): boolean {
  return url.startsWith(SQLITE_SCHEME);
}

export function fileOf(url: string): string {
  return resolve(url.slice(SQLITE_SCHEME.length));
}

/** The file, or the server and the database on it; without the password, for the operator. */
export function nameDatabase(url: string): string {
  if (isEmbedded(url)) {
    return fileOf(url);
  }
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** Opens a database. Each engine's library is loaded only if it is used. */
export async function openEngine(given: EngineOptions): Promise<Engine> {
  const { meter = noMeter } = given;
  const options = { ...given, meter, intercept: timeStatements(meter, given.intercept) };
  if (isEmbedded(options.url)) {
    const { openSqlite } = await import("./sqlite.ts");
    return openSqlite(options.url.slice(SQLITE_SCHEME.length), options);
  }
  const { openPostgres } = await import("./postgres.ts");
  return openPostgres(options);
}

/** Moves recent writes from the write-ahead log into the database file, as far as no reader needs the previous state. */
export async function checkpoint({ queries }: Pick<Engine, "queries">): Promise<void> {
  await sql`pragma wal_checkpoint(passive)`.execute(queries);
}

/** Opens a database while `work` runs, without measuring its statements. */
export async function withEngine<T>(
  options: EngineOptions,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const engine = await openEngine({ ...options, meter: noMeter });
  try {
    return await work(engine);
  } finally {
    await engine.queries.destroy();
  }
}

export async function ping({ queries }: Pick<Engine, "queries">): Promise<void> {
  await sql`select 1`.execute(queries);
}

// A hook around every statement, including those that begin and end transactions, to count them or to make them fail.

/** Runs one statement by calling `run`, or throws instead of it or after it. */
export type Intercept = <T>(statement: string, run: () => Promise<T>) => Promise<T>;

/** Returns a hook for Kysely's dialects: from now on, all statements of the connection pass through `intercept`. */
export function interceptWith(intercept: Intercept) {
  return async (connection: DatabaseConnection): Promise<void> => {
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = (...query: Parameters<typeof execute>) =>
      intercept(query[0].sql, () => execute(...query));
  };
}

/** Measures each statement, including the time that `intercept` adds. */
function timeStatements(meter: Meter, intercept?: Intercept): Intercept | undefined {
  if (meter === noMeter) {
    return intercept;
  }
  return async (statement, run) => {
    const startedMs = performance.now();
    try {
      return await (intercept ? intercept(statement, run) : run());
    } catch (error) {
      if (error instanceof ServiceError) {
        meter.count("database_failures_total", {});
      }
      throw error;
    } finally {
      meter.time("database_statement_duration_seconds", {}, performance.now() - startedMs);
    }
  };
}
