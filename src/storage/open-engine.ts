// The engine that a database's URL names: embedded for one process, PostgreSQL for several.
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
  /** Default nobody measures. */
  readonly meter?: Meter;
  readonly databaseNow?: (() => number) | undefined;
  /**
   * Default true: an embedded file is refused that another bot uses, and is locked for this one. False opens it beside
   * a bot, e.g. for a copy.
   */
  readonly exclusive?: boolean;
  /** Default false. A file must be there then, and may be in a folder that cannot be written. */
  readonly readOnly?: boolean;
  /** Default statements run as they are. */
  readonly intercept?: Intercept | undefined;
}

const SQLITE_SCHEME = "sqlite:";

/** Whether the database is a file of this machine, which one process uses. */
export function isEmbedded(url: string): boolean {
  return url.startsWith(SQLITE_SCHEME);
}

/** The file of an embedded database. */
export function fileOf(url: string): string {
  return resolve(url.slice(SQLITE_SCHEME.length));
}

/** Each engine's library is loaded only where it is used. */
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

/** Moves what was written lately into the database's own file, as far as nobody reads what was there before. */
export async function checkpoint({ queries }: Pick<Engine, "queries">): Promise<void> {
  await sql`pragma wal_checkpoint(passive)`.execute(queries);
}

/** Opens a database for as long as some work takes, unmeasured. */
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

/** Resolves when the database has answered. Throws as queries do. */
export async function ping({ queries }: Pick<Engine, "queries">): Promise<void> {
  await sql`select 1`.execute(queries);
}

// A place around every statement, those that begin and end transactions included: to count them, or to let them fail.

/** Runs one statement by calling `run`, or throws in its place or after it. */
export type Intercept = <T>(statement: string, run: () => Promise<T>) => Promise<T>;

/** For the hooks of Kysely's dialects: from now on all statements of this connection pass through `intercept`. */
export function interceptWith(intercept: Intercept) {
  return async (connection: DatabaseConnection): Promise<void> => {
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = (...query: Parameters<typeof execute>) =>
      intercept(query[0].sql, () => execute(...query));
  };
}

/** Measures each statement around what `intercept` does with it. */
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
