// Everything that the bot remembers, in one database: embedded for one process, PostgreSQL for several.
import { ConfigError, ServiceError } from "./core/errors.ts";
import { createBoardQuestionsTable } from "./boards/board-questions-table.ts";
import { createBoardsTable } from "./boards/boards-table.ts";
import { createPublicationsTable } from "./videos/publications-table.ts";
import { createVideoAccountsTable } from "./videos/video-accounts-table.ts";
import { createVideoRecordsTable } from "./videos/video-records-table.ts";
import { createWatchesTable } from "./watches/watches-table.ts";
import { createFactsTable } from "./storage/facts-table.ts";
import { createIncidentsTable } from "./watches/incidents-table.ts";
import { createLeasesTable } from "./storage/leases-table.ts";
import { createLeftGuildsTable } from "./storage/left-guilds-table.ts";
import { isNewerThanKnown, migrate } from "./storage/migrate.ts";
import { type EngineOptions, isEmbedded, openEngine, ping } from "./storage/open-engine.ts";
import { createKeptData } from "./storage/owned-rows.ts";
import { readTally } from "./storage/tally.ts";
import { createGuildRecordsTable } from "./operations/guild-records-table.ts";
import { createPublishingsTable } from "./boards/publishings-table.ts";
import { createSpendingTable } from "./plan/spending-table.ts";
import { createStylePreviewsTable } from "./pictures/style-previews-table.ts";

/** An open database, up to date. Throws ServiceError `unavailable` of `storage` while its server is away. */
export type Database = Awaited<ReturnType<typeof openDatabase>>;

/** Opens a database and brings it up to date. Throws a ConfigError for one that cannot be used. */
export async function openDatabase(options: EngineOptions) {
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
    /** Whether it may be other processes' too. */
    isShared: !isEmbedded(url),
    spending: createSpendingTable(engine, clock, await engine.readNow()),
    leftGuilds: createLeftGuildsTable(queries),
    guildRecords: createGuildRecordsTable(queries),
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
    /** Whether a newer program has migrated it since this one opened it: then this one must leave the jobs to others. */
    isOutdated: () => isNewerThanKnown(engine),
    tally: () => readTally(engine),
    /** Resolves when the database has answered. Throws as queries do. */
    ping: () => ping(engine),
    close: () => queries.destroy(),
  };
}
