// The engine that queries run on. Each table's file adds its columns to the schema; the migrations make them, and a column
// that changes, changes in both.
import type { Compilable, Kysely, RawBuilder } from "kysely";

/**
 * Every table by its name, declared beside its queries. Times are milliseconds since the Unix epoch; Discord's ids are
 * text.
 */
// oxlint-disable-next-line typescript/no-empty-interface -- each table adds itself
export interface Schema {}

export type Queries = Kysely<Schema>;

export interface UniqueIndex {
  readonly name: string;
  readonly table: keyof Schema;
  readonly columns: readonly string[];
}

/** An engine that queries can run on: what differs between the two is here and nowhere else. */
export interface Engine {
  readonly queries: Queries;
  /**
   * The time, in milliseconds since the epoch, as an expression in a statement: the server's on PostgreSQL, so that
   * processes with different clocks agree on leases, claims and the plan; this machine's on SQLite.
   */
  readonly now: () => RawBuilder<number>;
  /** The same time, asked for by itself. */
  readonly readNow: () => Promise<number>;
  /**
   * Throws a ServiceError `storage`/`unavailable` where this machine's clock is known to differ from the database's. `read`:
   * a time that the database has just given, and when it was asked.
   */
  readonly checkClock: (read?: { readonly nowMs: number; readonly askedAtMs: number }) => void;
  /**
   * Inside a transaction: waits until no other transaction of any process has the lock of this name. Gives the time
   * after the wait.
   */
  readonly lock: (transaction: Queries, name: LockName) => Promise<number>;
  /** As `lock`, but is sent with the transaction's next statement, and returns no time. */
  readonly lockWithNext: (transaction: Queries, name: LockName) => Promise<void>;
  /** A transaction's last write: it is sent with the commit, which fails if it does. */
  readonly writeWithCommit: (transaction: Queries, write: Compilable) => Promise<void>;
  /** Runs statements that may take as long as they need, such as migrations. */
  readonly unlimited: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  readonly hasTable: (name: string) => Promise<boolean>;
  /** The rows of a table, in any order, without having all of them in memory. Inside a transaction. */
  readonly rows: (transaction: Queries, table: string) => AsyncIterable<AnyRow>;
  /** Whether a statement failed since a row is there already that this index wants to be the only one of its kind. */
  readonly isDuplicate: (error: unknown, index: UniqueIndex) => boolean;
}

/** A row of whichever table. */
export type AnyRow = Readonly<Record<string, unknown>>;

/** What is done by one process at a time. */
export type LockName = "migrate" | "spend" | "write";
