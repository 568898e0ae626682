// Everything that the bot remembers, in one database: embedded for one process, PostgreSQL for several.
import type { BackupSettings } from "./core/config.ts";
import { ConfigError, ServiceError } from "./core/errors.ts";
import { createBoardQuestionsTable } from "./boards/board-questions-table.ts";
import { createBoardsTable } from "./boards/boards-table.ts";
import { createPublicationsTable } from "./videos/publications-table.ts";
import { createVideoAccountsTable } from "./videos/video-accounts-table.ts";
import { createVideoRecordsTable } from "./videos/video-records-table.ts";
import { createWatchesTable } from "./watches/watches-table.ts";
import { backUpBeforeMigration, backUpDaily, erasureRetentionMs } from "./storage/backups.ts";
import { BACKUP_TABLE } from "./storage/copy-rows.ts";
import { createIncidentsTable } from "./watches/incidents-table.ts";
import { createLeasesTable } from "./storage/leases-table.ts";
import { createLeftGuildsTable } from "./storage/left-guilds-table.ts";
import { isNewerThanKnown, migrate } from "./storage/migrate.ts";
import { type EngineOptions, checkpoint, isEmbedded, openEngine, ping } from "./storage/open-engine.ts";
import { createErasuresTable, createStoredData } from "./storage/owned-rows.ts";
import { readTally } from "./storage/tally.ts";
import { createGuildRecordsTable } from "./operations/guild-records-table.ts";
import { createPublishingsTable } from "./boards/publishings-table.ts";
import { createFactsTable, createRequestRate } from "./storage/facts-table.ts";
import { createRecentChoicesTable } from "./storage/recent-choices-table.ts";
import { createShardLeasesTable } from "./storage/shard-leases-table.ts";
import { createSpendingTable } from "./plan/spending-table.ts";
import { createStylePreviewsTable } from "./pictures/style-previews-table.ts";

/** An open database, up to date. Throws ServiceError `unavailable` of `storage` while its server is away. */
export type Database = Awaited<ReturnType<typeof openDatabase>>;

export interface DatabaseOptions extends EngineOptions {
  /** Default none are made. */
  readonly backups?: BackupSettings;
}

/**
 * Opens a database and brings it up to date, after a backup where there is something in it. Throws a ConfigError for one
 * that cannot be used.
 */
export async function openDatabase(options: DatabaseOptions) {
  const { url, clock, log, backups = { folder: "", days: 0 } } = options;
  const engine = await openEngine(options);
  const { queries } = engine;
  const erasures = createErasuresTable(queries);
  const facts = createFactsTable(queries);
  try {
    if (isEmbedded(url) && (await engine.hasTable(BACKUP_TABLE))) {
      throw new ConfigError([
        "DATABASE_URL names a backup. Restore it with `npm run restore -- FILE` (docs/backup.md), so that nothing is sent twice.",
      ]);
    }
    await migrate(engine, {
      clock,
      log,
      before: options.backups && (() => backUpBeforeMigration(options, backups)),
    });
    const movedAt = await facts.read("moved");
    if (movedAt !== undefined) {
      throw new ConfigError([
        `DATABASE_URL names a database whose content was moved to another one (${movedAt}). Set DATABASE_URL to that one. To use this one again, restore a backup into it.`,
      ]);
    }
  } catch (error) {
    await queries.destroy();
    throw error instanceof ServiceError && error.reason !== undefined
      ? new ConfigError(
          [`DATABASE_URL names a database that cannot be brought up to date: ${error.reason}.`],
          {
            mayPass: error.reason === "disk full",
          },
        )
      : error;
  }
  return {
    /** Whether other processes may use it too. */
    isShared: !isEmbedded(url),
    /** How processes share Discord's limit; `undefined` where there is only one. */
    requestRate: isEmbedded(url) ? undefined : createRequestRate(engine, facts),
    /** Whether it outlives the process. */
    isLasting: url !== "sqlite::memory:",
    spending: createSpendingTable(engine, clock, await engine.readNow()),
    leftGuilds: createLeftGuildsTable(queries),
    guildRecords: createGuildRecordsTable(queries),
    boards: createBoardsTable(engine),
    boardQuestions: createBoardQuestionsTable(queries),
    publishings: createPublishingsTable(engine),
    erasures,
    recentChoices: createRecentChoicesTable(queries),
    leases: createLeasesTable(engine),
    shardLeases: createShardLeasesTable(engine),
    facts,
    watches: createWatchesTable(engine),
    incidents: createIncidentsTable(engine),
    stylePreviews: createStylePreviewsTable(queries),
    publications: createPublicationsTable(engine),
    videoAccounts: createVideoAccountsTable(queries),
    videoRecords: createVideoRecordsTable(queries),
    ...createStoredData(engine),
    /** Whether a newer program has migrated it since this one opened it: then this one must leave the jobs to others. */
    isOutdated: () => isNewerThanKnown(engine),
    tally: () => readTally(engine),
    /** Resolves when the database has answered. Throws as queries do. */
    ping: () => ping(engine),
    /**
     * What is done every hour: the file alone is then a near-complete copy, there is a backup of each day, and who was
     * erased is forgotten when the backups from before are gone.
     */
    async maintain(progress: () => void = () => undefined): Promise<void> {
      if (isEmbedded(url)) {
        await checkpoint(engine);
      }
      await erasures.forget(clock.now() - erasureRetentionMs(backups));
      if (backups.days > 0) {
        await backUpDaily(options, backups, progress);
      }
    },
    close: () => queries.destroy(),
  };
}
