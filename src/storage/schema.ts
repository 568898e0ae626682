// The interface of the two database engines. Each table's file adds its columns to the schema, and the migrations
// create them; a change of a column must be made in both.
import type { Compilable, Kysely, RawBuilder } from "kysely";

/** Each table is declared beside its queries. Times are milliseconds since the epoch; Discord's ids are text. */
// oxlint-disable-next-line typescript/no-empty-interface -- each table adds itself
export interface Schema {}

export type Queries = Kysely<Schema>;

export interface UniqueIndex {
  readonly name: string;
  readonly table: keyof Schema;
  readonly columns: readonly string[];
}

/** A database engine. Every difference between the two engines is behind this interface. */
export interface Engine {
  readonly queries: Queries;
  /** Milliseconds since the epoch: on PostgreSQL the server's, so that processes with different clocks agree. */
  readonly now: () => RawBuilder<number>;
  /** Reads the same time with a statement of its own. */
  readonly readNow: () => Promise<number>;
  /**
   * Throws a ServiceError `storage`/`unavailable` if this machine's clock is known to differ from the database's.
   * `read` is a time that the database has just returned, and when it was asked for.
   */
  readonly checkClock: (read?: { readonly nowMs: number; readonly askedAtMs: number }) => void;
  /** Waits until no other transaction of any process has the lock. Returns the time after the wait. */
  readonly lock: (transaction: Queries, name: LockName) => Promise<number>;
  /** As `lock`, but sent together with the transaction's next statement, and without the time. */
  readonly lockWithNext: (transaction: Queries, name: LockName) => Promise<void>;
  /** Sends a transaction's last write together with the commit, which fails if the write fails. */
  readonly writeWithCommit: (transaction: Queries, write: Compilable) => Promise<void>;
  /** Runs statements without time limits, e.g. migrations. */
  readonly unlimited: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  readonly hasTable: (name: string) => Promise<boolean>;
  /** Streams the rows of a table in any order. Must be called inside a transaction. */
  readonly rows: (transaction: Queries, table: string) => AsyncIterable<AnyRow>;
  /** Whether a statement failed because it would have violated this unique index. */
  readonly isDuplicate: (error: unknown, index: UniqueIndex) => boolean;
}

export type AnyRow = Readonly<Record<string, unknown>>;

export type LockName = "migrate" | "spend" | "write";
