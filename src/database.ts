// What the bot remembers, behind one door: embedded for one process, PostgreSQL for several.
import { ConfigError, ServiceError } from "./core/errors.ts";
import { type BoardQuestionsTable, createBoardQuestionsTable } from "./boards/board-questions-table.ts";
import { type BoardsTable, createBoardsTable } from "./boards/boards-table.ts";
import { type PublicationsTable, createPublicationsTable } from "./videos/publications-table.ts";
import { type VideoAccountsTable, createVideoAccountsTable } from "./videos/video-accounts-table.ts";
import { type VideoRecordsTable, createVideoRecordsTable } from "./videos/video-records-table.ts";
import { type WatchesTable, createWatchesTable } from "./watches/watches-table.ts";
import { type FactsTable, createFactsTable } from "./storage/facts-table.ts";
import { type IncidentsTable, createIncidentsTable } from "./watches/incidents-table.ts";
import { type LeasesTable, createLeasesTable } from "./storage/leases-table.ts";
import { type LeftGuildsTable, createLeftGuildsTable } from "./storage/left-guilds-table.ts";
import { isNewerThanKnown, migrate } from "./storage/migrate.ts";
import { type EngineOptions, isEmbedded, openEngine, ping } from "./storage/open-engine.ts";
import { type KeptData, createKeptData } from "./storage/owned-rows.ts";
import { type PublishingsTable, createPublishingsTable } from "./boards/publishings-table.ts";
import { type SpendingTable, createSpendingTable } from "./plan/spending-table.ts";
import { type StylePreviewsTable, createStylePreviewsTable } from "./pictures/style-previews-table.ts";

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
