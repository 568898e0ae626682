// What the bot remembers, behind one door: embedded for one process, PostgreSQL for several.
import { ConfigError, ServiceError } from "../core/errors.ts";
import { createBoardQuestionsTable, type BoardQuestionsTable } from "./board-questions-table.ts";
import type { BoardsTable } from "./boards-table.ts";
import { createBoardsTable } from "./create-boards-table.ts";
import { createPublicationsTable } from "./create-publications-table.ts";
import { createVideoAccountsTable } from "./create-video-accounts-table.ts";
import { createVideoRecordsTable } from "./create-video-records-table.ts";
import { createWatchesTable } from "./create-watches-table.ts";
import { createFactsTable, type FactsTable } from "./facts-table.ts";
import { createIncidentsTable, type IncidentsTable } from "./incidents-table.ts";
import { createLeasesTable, type LeasesTable } from "./leases-table.ts";
import { createLeftGuildsTable, type LeftGuildsTable } from "./left-guilds-table.ts";
import { isNewerThanKnown, migrate } from "./migrate.ts";
import { isEmbedded, openEngine, ping, type EngineOptions } from "./open-engine.ts";
import { createKeptData, type KeptData } from "./owned-rows.ts";
import type { PublicationsTable } from "./publications-table.ts";
import { createPublishingsTable, type PublishingsTable } from "./publishings-table.ts";
import { createSpendingTable, type SpendingTable } from "./spending-table.ts";
import { createStylePreviewsTable, type StylePreviewsTable } from "./style-previews-table.ts";
import type { VideoAccountsTable } from "./video-accounts-table.ts";
import type { VideoRecordsTable } from "./video-records-table.ts";
import type { WatchesTable } from "./watches-table.ts";

/** An open database, up to date. Throws ServiceError `unavailable` of `storage` while its server is away. */
export interface Database extends KeptData {
  /** Whether it may be other processes' too. */
  readonly isShared: boolean;
  readonly spending: SpendingTable;
  readonly leftGuilds: LeftGuildsTable;
  readonly boards: BoardsTable;
  readonly boardQuestions: BoardQuestionsTable;
  readonly publishings: PublishingsTable;
  readonly leases: LeasesTable;
  readonly facts: FactsTable;
  readonly watches: WatchesTable;
  readonly incidents: IncidentsTable;
  readonly stylePreviews: StylePreviewsTable;
  readonly publications: PublicationsTable;
  readonly videoAccounts: VideoAccountsTable;
  readonly videoRecords: VideoRecordsTable;
  /** Whether a newer program has migrated it since this one opened it: then this one must leave the jobs to others. */
  isOutdated(): Promise<boolean>;
  /** Settles when the database has answered. Throws as queries do. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a database and brings it up to date. Throws a ConfigError for one that cannot be used. */
export async function openDatabase(options: EngineOptions): Promise<Database> {
  const { url, clock, log } = options;
  const engine = await openEngine(options);
  const { queries } = engine;
  try {
    await migrate(engine, { clock, log });
  } catch (error) {
    await queries.destroy();
    throw error instanceof ServiceError && error.reason !== undefined
      ? new ConfigError([`DATABASE_URL names a database that cannot be brought up to date: ${error.reason}.`])
      : error;
  }
  return {
    isShared: !isEmbedded(url),
    spending: createSpendingTable(engine, clock, await engine.readNow()),
    leftGuilds: createLeftGuildsTable(queries),
    boards: createBoardsTable(engine),
    boardQuestions: createBoardQuestionsTable(queries),
    publishings: createPublishingsTable(engine),
    leases: createLeasesTable(engine),
    facts: createFactsTable(queries),
    watches: createWatchesTable(engine),
    incidents: createIncidentsTable(engine),
    stylePreviews: createStylePreviewsTable(queries),
    publications: createPublicationsTable(engine),
    videoAccounts: createVideoAccountsTable(queries),
    videoRecords: createVideoRecordsTable(queries),
    ...createKeptData(engine),
    isOutdated: () => isNewerThanKnown(engine),
    ping: () => ping(engine),
    close: () => queries.destroy(),
  };
}
