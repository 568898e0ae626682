// The bot's only database: SQLite for one process, PostgreSQL for several.
import { existsSync } from "node:fs";
import type { BackupSettings } from "./core/config.ts";
import { ConfigError, ServiceError } from "./core/errors.ts";
import { createBoardQuestionsTable } from "./boards/board-questions-table.ts";
import { createBoardsTable } from "./boards/boards-table.ts";
import { createPublicationsTable } from "./videos/publications-table.ts";
import { createVideoAccountsTable } from "./videos/video-accounts-table.ts";
import { createVideoRecordsTable } from "./videos/video-records-table.ts";
import { DAY_MS } from "./time/wall-clock.ts";
import { createWatchesTable } from "./watches/watches-table.ts";
import {
  backUpBeforeMigration,
  backUpDaily,
  erasureRetentionMs,
  isBackup,
  removeOldBackups,
} from "./storage/backups.ts";
import { createIncidentsTable } from "./watches/incidents-table.ts";
import { createLeasesTable, createShardLeasesTable } from "./storage/leases-table.ts";
import { createLeftGuildsTable } from "./storage/left-guilds-table.ts";
import { isNewerThanKnown, migrate, readVersion } from "./storage/migrate.ts";
import { type EngineOptions, checkpoint, isEmbedded, openEngine, ping } from "./storage/open-engine.ts";
import { createErasuresTable, createStoredData } from "./storage/owned-rows.ts";
import { readTally } from "./storage/tally.ts";
import { createGuildRecordsTable } from "./operations/guild-records-table.ts";
import { createPublishingsTable } from "./boards/publishings-table.ts";
import { createFactsTable, createRequestRate } from "./storage/facts-table.ts";
import { createRecentChoicesTable } from "./storage/recent-choices-table.ts";
import { createSpendingTable } from "./plan/spending-table.ts";
import { createStylePreviewsTable } from "./pictures/style-previews-table.ts";

/** Its methods throw ServiceError `unavailable` with the service `storage` while it cannot be reached. */
export type Database = Awaited<ReturnType<typeof openDatabase>>;

export interface DatabaseOptions extends EngineOptions {
  /** Default: no backups are made. */
  readonly backups?: BackupSettings;
  /** A SQLite file that the bot may have used before. If it exists, an empty PostgreSQL database is refused. */
  readonly formerFile?: string | undefined;
}

/** Throws a ConfigError if the server is empty although the bot has used a file, whose content may have to be moved. */
export async function refuseForgotten(
  { url, formerFile }: Pick<DatabaseOptions, "url" | "formerFile">,
  askVersion: () => number | Promise<number>,
): Promise<void> {
  const mayBeForgotten = !isEmbedded(url) && formerFile !== undefined && existsSync(formerFile);
  if (mayBeForgotten && (await askVersion()) === 0) {
    throw new ConfigError([
      `DATABASE_URL names an empty database, but the bot has used the file ${formerFile} before. Move its content with \`npm run move\` (docs/backup.md). If you have already moved it, restore a backup with \`npm run restore\`. To start with an empty database instead, rename the file.`,
    ]);
  }
}

/** Also migrates it, after a backup if it is not empty. Throws a ConfigError if it cannot be used. */
export async function openDatabase(options: DatabaseOptions) {
  const { url, clock, log, backups = { folder: "", days: 0 } } = options;
  const engine = await openEngine(options);
  const { queries } = engine;
  const erasures = createErasuresTable(queries);
  const facts = createFactsTable(queries);
  try {
    if (isEmbedded(url) && (await isBackup(engine))) {
      throw new ConfigError([
        "DATABASE_URL names a backup. Restore it with `npm run restore -- FILE` (docs/backup.md), so that nothing is sent twice.",
      ]);
    }
    await refuseForgotten(options, () => readVersion(engine));
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
            isTransient: error.reason === "disk full",
          },
        )
      : error;
  }
  return {
    /** Whether other processes may use the database too. */
    isShared: !isEmbedded(url),
    /** How processes share Discord's rate limit; `undefined` if only one process can use the database. */
    requestRate: isEmbedded(url) ? undefined : createRequestRate(engine, facts),
    /** Whether the database outlives the process. */
    isPersistent: url !== "sqlite::memory:",
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
    /** Whether a newer bot has migrated the database since. This process must then leave the jobs to others. */
    isOutdated: () => isNewerThanKnown(engine),
    tally: () => readTally(engine),
    ping: () => ping(engine),
    /**
     * Called every hour. Writes SQLite's write-ahead log back, so that a copy of the database file alone is nearly
     * complete; makes the day's backup; and forgets erasures once no backup from before them is left.
     */
    async maintain(progress: () => void = () => undefined): Promise<void> {
      if (isEmbedded(url)) {
        await checkpoint(engine);
      }
      const lastMs = backups.days > 0 ? Number((await facts.read("backup")) ?? Infinity) : Infinity;
      // While backups fail, the last one stays.
      await erasures.forget(Math.min(clock.now(), lastMs + DAY_MS) - erasureRetentionMs(backups));
      if (backups.days > 0) {
        const made = await backUpDaily(options, backups, progress);
        await (made && facts.put("backup", String(made.atMs)));
      }
    },
    /** Called every hour in every process, because each may have its own folder. */
    async removeOldBackups(): Promise<void> {
      if (backups.days > 0) {
        const lastMs = Number((await facts.read("backup")) ?? -Infinity);
        removeOldBackups(backups, { nowMs: await engine.readNow(), lastMs, log });
      }
    },
    close: () => queries.destroy(),
  };
}
