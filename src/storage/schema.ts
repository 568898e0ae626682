// The tables as queries see them. The migrations make them; a column that changes, changes in both.
import type { Kysely, RawBuilder } from "kysely";
import type { BoardQuestionRecord } from "./board-questions-table.ts";
import type { BoardRecord } from "./boards-table.ts";
import type { IncidentRecord } from "./incidents-table.ts";
import type { PublicationRecord } from "./publications-table.ts";
import type { Row } from "./row.ts";
import type { VideoAccountRecord } from "./video-accounts-table.ts";
import type { VideoActRecord, VideoSampleRecord, VideoSettingsRecord } from "./video-records-table.ts";
import type { WatchRecord } from "./watches-table.ts";

/** Every table by its name. Times are milliseconds since the Unix epoch; Discord's ids are text. */
export interface Schema {
  readonly spending: SpendingRow;
  readonly closings: ClosingRow;
  readonly leftGuilds: LeftGuildRow;
  readonly boards: Row<BoardRecord>;
  readonly boardQuestions: Row<BoardQuestionRecord>;
  readonly leases: LeaseRow;
  readonly publishings: PublishingRow;
  readonly watches: Row<WatchRecord>;
  readonly incidents: Row<IncidentRecord>;
  readonly stylePreviews: StylePreviewRow;
  readonly publications: Row<PublicationRecord>;
  readonly videoAccounts: Row<VideoAccountRecord>;
  readonly videoSettings: Row<VideoSettingsRecord>;
  readonly videoActs: Row<VideoActRecord>;
  readonly videoSamples: Row<VideoSampleRecord>;
  readonly facts: FactRow;
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

/** Who does, until then, what only one process may do. */
interface LeaseRow {
  readonly name: string;
  readonly holder: string;
  readonly untilMs: number;
}

/** One message of an announcement channel that was about to be published. */
interface PublishingRow {
  readonly channelId: string;
  readonly guildId: string;
  readonly atMs: number;
}

/** What a style looks like. */
interface StylePreviewRow {
  readonly key: string;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  /** Base64. */
  readonly picture: string;
}

/** Something that is true of the whole database. */
interface FactRow {
  readonly name: string;
  readonly value: string;
}

/** The query layer over either engine. */
export type Queries = Kysely<Schema>;

/** An index that allows no two rows alike. */
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
  /** Throws a ServiceError `storage`/`unavailable` where this machine's clock is known to differ from the database's. */
  readonly checkClock: () => void;
  /**
   * Inside a transaction: waits until no other transaction of any process has the lock of this name. Gives the time
   * after the wait.
   */
  readonly lock: (transaction: Queries, name: LockName) => Promise<number>;
  /** Runs statements that may take as long as they need, such as migrations. */
  readonly unlimited: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  readonly hasTable: (name: string) => Promise<boolean>;
  /** Whether a statement failed since a row is there already that this index wants to be the only one of its kind. */
  readonly isDuplicate: (error: unknown, index: UniqueIndex) => boolean;
}

/** What is done by one process at a time. */
export type LockName = "migrate" | "spend" | "boards";
