// The tables as queries see them. The migrations make them; a column that changes, changes in both.
import type { Kysely } from "kysely";

/** Every table by its name. Times are milliseconds since the Unix epoch; Discord's ids are text. */
export interface Schema {
  readonly spending: SpendingRow;
  readonly closings: ClosingRow;
  readonly leftGuilds: LeftGuildRow;
}

/** One call that was about to be sent to a service. */
interface SpendingRow {
  readonly service: string;
  readonly at: number;
  /** How much of the plan it cost. */
  readonly weight: number;
}

/** A service that said its plan was used up. */
interface ClosingRow {
  readonly service: string;
  readonly untilMs: number;
}

/** A guild that the bot is no longer in. */
interface LeftGuildRow {
  readonly guildId: string;
  readonly leftAt: number;
}

/** The query layer over either engine. */
export type Queries = Kysely<Schema>;

/** An engine that queries can run on: what differs between the two is here and nowhere else. */
export interface Engine {
  readonly queries: Queries;
  /** Inside a transaction: waits until no other transaction of any process holds the lock of this name. */
  readonly lock: (transaction: Queries, name: LockName) => Promise<void>;
}

/** What is done by one process at a time. */
export type LockName = "migrate" | "spend";
