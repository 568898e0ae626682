// Backups: each is one SQLite file with all rows of the database at one moment. It does not depend on the database's
// engine, so it can be restored into either (`src/restoring.ts`).
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { z } from "zod";
import { CLOCK_TOLERANCE_MS } from "../core/clock.ts";
import type { BackupSettings } from "../core/config.ts";
import { ConfigError, ServiceError, codeOf } from "../core/errors.ts";
import { type Log, createLog } from "../core/log.ts";
import { plural } from "../core/text.ts";
import { BACKUP_TABLE, type TableSums, listTables, readSums, replaceRows } from "./copy-rows.ts";
import { migrate, readVersion } from "./migrate.ts";
import { MIGRATIONS } from "./migrations.ts";
import { type EngineOptions, withEngine } from "./open-engine.ts";
import type { Engine } from "./schema.ts";
import { DAY_MS, HOUR_MS } from "../time/wall-clock.ts";

export interface Backup {
  readonly file: string;
  /** The contents are at least as new as this time, by the database's clock. */
  readonly atMs: number;
  /** The number of migrations applied to the database. */
  readonly version: number;
  readonly sums: TableSums;
}

/** Formats the number of rows, e.g. `1,204 rows`. */
export function countRows({ sums }: Pick<Backup, "sums">): string {
  return plural(
    Object.values(sums).reduce((sum, { rows }) => sum + rows, 0),
    "row",
  );
}

/** With `BACKUP_DAYS=0`, erasures are remembered for this many days, because somebody may make backups by hand. */
const DEFAULT_DAYS = 14;

/** As long as a backup may contain the erased rows. A bot that is off for a night removes old backups late. */
export function erasureRetentionMs({ days }: BackupSettings): number {
  return ((days === 0 ? DEFAULT_DAYS : days) + 2) * DAY_MS;
}

export function nameBackup(folder: string, nowMs: number): string {
  return join(folder, `signalbox-${new Date(nowMs).toISOString().slice(0, 19).replaceAll(":", "-")}Z.db`);
}

/**
 * Copies the database into a file, even while a bot uses it, and then reads the file as a restore does to compare both.
 * The file appears only if they are equal. Throws a ConfigError if there is nothing to copy, or if the folder cannot be
 * written.
 */
export async function writeBackup(
  options: EngineOptions,
  file: string,
  progress?: () => void,
): Promise<Backup> {
  prepareFolder(dirname(resolve(file)));
  const part = `${file}.part`;
  removeFiles(part);
  try {
    const backup = await withEngine({ ...options, readOnly: true }, async (from): Promise<Backup> => {
      const version = await readVersion(from);
      if (version === 0) {
        throw new ConfigError(["There is nothing to back up: DATABASE_URL names an empty database."]);
      }
      if (version > MIGRATIONS.length) {
        throw new ConfigError([
          "DATABASE_URL names a database that a newer Signalbox has used. Use that version to back it up.",
        ]);
      }
      const atMs = await from.readNow();
      const sums = await copyToFile(from, { ...options, file: part, version, progress, atMs });
      return { file, atMs, version, sums };
    });
    await readBackup(options.clock, part, async () => undefined, progress).catch((cause: unknown) => {
      throw new Error("the backup differs from the database", { cause });
    });
    await writeThrough(part);
    utimesSync(part, backup.atMs / 1_000, backup.atMs / 1_000);
    renameSync(part, file);
    return backup;
  } finally {
    removeFiles(part);
  }
}

/** Creates a file with the tables of this version, and copies all rows into it. With `atMs`, the file becomes a backup. */
export function copyToFile(
  from: Engine,
  {
    file,
    version,
    progress,
    atMs,
    ...options
  }: Pick<EngineOptions, "clock"> & {
    readonly file: string;
    readonly version: number;
    readonly progress?: (() => void) | undefined;
    readonly atMs?: number;
  },
): Promise<TableSums> {
  return withEngine(fileOptions(options, file), async (to) => {
    const { queries } = to;
    // After a crash, the file is useless anyway, so the copy does not wait for the disk.
    await sql`pragma journal_mode = memory`.execute(queries);
    await sql`pragma synchronous = off`.execute(queries);
    await migrate(to, { clock: options.clock, log: QUIET }, MIGRATIONS.slice(0, version));
    const sums = await replaceRows({ from, to, tables: await listTables(to) }, progress);
    if (atMs !== undefined) {
      const label = sql.table(BACKUP_TABLE);
      await sql`create table ${label} ("atMs" bigint, "sums" text)`.execute(queries);
      await sql`insert into ${label} values (${atMs}, ${JSON.stringify(sums)})`.execute(queries);
    }
    return sums;
  });
}

/** Waits until the file is on the disk, without blocking this thread as SQLite would. */
async function writeThrough(file: string): Promise<void> {
  const handle = await open(file, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The steps of a copy are not worth log lines. */
const QUIET = createLog({ level: "silent", secrets: [] });

/** Whether the database is itself a backup that somebody has copied into its place. */
export function isBackup({ hasTable }: Pick<Engine, "hasTable">): Promise<boolean> {
  return hasTable(BACKUP_TABLE);
}

/**
 * Copies a SQLite database, including changes that are only in its `-wal` file. Copying the file directly would release our
 * locks on it.
 */
export async function keepCopy({ queries }: Pick<Engine, "queries">, file: string): Promise<void> {
  writeFileSync(file, "", { flag: "wx", mode: 0o600 });
  await sql`vacuum into ${file}`.execute(queries);
}

/** Turns a backup into a database on which a bot starts; does nothing to any other database. */
export async function removeLabel({ queries }: Pick<Engine, "queries">): Promise<void> {
  await queries.schema.dropTable(BACKUP_TABLE).ifExists().execute();
}

/** Options for a file that nobody else uses. */
export function fileOptions({ clock }: Pick<EngineOptions, "clock">, file: string): EngineOptions {
  return { url: `sqlite:${resolve(file)}`, clock, log: QUIET, exclusive: false };
}

const sumsSchema = z.record(z.string(), z.object({ rows: z.number(), checksum: z.string() }));

/** Opens a backup while `work` runs. Throws a ConfigError if the file is not a backup or is damaged. */
export function readBackup<T>(
  clock: EngineOptions["clock"],
  file: string,
  work: (backup: Backup, from: Engine) => Promise<T>,
  progress?: () => void,
): Promise<T> {
  return withEngine({ ...fileOptions({ clock }, file), readOnly: true }, async (from) => {
    const found = await readLabel(from, file, progress).catch((cause: unknown) => {
      throw new ConfigError(
        [
          `${file} is damaged, or is not a Signalbox backup. Name a file that \`npm run backup\` or the bot has made.`,
        ],
        { cause },
      );
    });
    if (found.version > MIGRATIONS.length) {
      throw new ConfigError([`${file} was made by a newer Signalbox. Use that version to restore it.`]);
    }
    return work(found, from);
  });
}

/** Reads what the backup says about itself. Throws if its rows differ from that. */
async function readLabel(from: Engine, file: string, progress?: () => void): Promise<Backup> {
  const { rows } = await sql<{ atMs: number; sums: string }>`
    select "atMs", "sums" from ${sql.table(BACKUP_TABLE)}`.execute(from.queries);
  const { atMs = 0, sums: text = "{}" } = rows[0] ?? {};
  const sums = sumsSchema.parse(JSON.parse(text));
  const read = await readSums(from, await listTables(from), progress);
  if (!isDeepStrictEqual(read, sums)) {
    throw new Error(`it has other rows than it says: ${JSON.stringify({ sums, read })}`);
  }
  return { file, atMs, sums, version: await readVersion(from) };
}

/** Creates the folder for backups. Throws a ConfigError if it cannot be written. */
export function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw explainFolder(folder, error);
  }
}

export function explainFolder(folder: string, error: unknown): ConfigError {
  const reason = codeOf(error) ?? "no access";
  return new ConfigError([
    `Backups cannot be written to ${folder} (${reason}). Let the user that runs the bot write there, or set BACKUP_FOLDER to another folder.`,
  ]);
}

/** The endings of a database file and of the files that SQLite keeps beside it. */
const FILE_ENDINGS = ["", "-wal", "-shm", "-journal"];

export function removeFiles(file: string): void {
  for (const ending of FILE_ENDINGS) {
    rmSync(`${file}${ending}`, { force: true });
  }
}

export function moveFiles(from: string, to: string): void {
  for (const ending of FILE_ENDINGS.filter((each) => existsSync(`${from}${each}`))) {
    renameSync(`${from}${ending}`, `${to}${ending}`);
  }
}

/** The names of automatic backups. Other files in the folder are never removed: the database itself may be there. */
const BACKUP_NAME = /^signalbox-(?:\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ|before-version-\d+)\.db$/;
/** Also matches files that a killed process left behind; version 0.9.0 made a second file for its check. */
const BACKUP_NAME_OR_LEFTOVER = new RegExp(
  `${BACKUP_NAME.source.slice(0, -1)}(?:\\.(?:part|check)(?:-wal|-shm|-journal)?)?$`,
);

/**
 * Makes a backup before a migration changes anything. Each version has only one, because a migration that fails is
 * retried repeatedly. Throws a ConfigError if the backup cannot be written; then the migration must not run.
 */
export async function backUpBeforeMigration(
  options: EngineOptions,
  { folder, days }: BackupSettings,
): Promise<void> {
  if (days === 0) {
    options.log.warn({}, "database not backed up before its migration");
    return;
  }
  try {
    const file = join(folder, `signalbox-before-version-${MIGRATIONS.length}.db`);
    await writeBackup(options, file);
    options.log.info({ file }, "database backed up before its migration");
  } catch (error) {
    if (error instanceof ServiceError && error.reason === undefined) {
      throw error;
    }
    const isFull =
      error instanceof ServiceError
        ? error.reason === "disk full"
        : error instanceof ConfigError && error.isTransient;
    throw new ConfigError(
      [
        `This version must change the database, and the backup that it makes first has failed: ${error instanceof Error ? error.message : String(error)}. Nothing was changed. Free some space in ${folder}, or set BACKUP_FOLDER to a folder that the bot may write to, and start it again. With BACKUP_DAYS=0, it continues without a backup.`,
      ],
      { isTransient: isFull },
    );
  }
}

/** Makes a backup if the last one is a day old. */
export async function backUpDaily(
  options: EngineOptions,
  { folder }: BackupSettings,
  progress: () => void,
): Promise<Backup | undefined> {
  const { clock, log } = options;
  const nowMs = clock.now();
  const newestMs = newestBackupMs(folder, nowMs) ?? -Infinity;
  // This runs once an hour, so half an hour early is close enough.
  if (nowMs - newestMs < DAY_MS - HOUR_MS / 2) {
    return undefined;
  }
  const backup = await writeBackup(options, nameBackup(folder, nowMs), progress);
  log.info({ file: backup.file }, "database backed up");
  return backup;
}

/** Removes the backups that are too old, unless there is no newer one. `lastMs`: the last one in any process's folder. */
export function removeOldBackups(
  { folder, days }: BackupSettings,
  { nowMs, lastMs, log }: { readonly nowMs: number; readonly lastMs: number; readonly log: Log },
): void {
  const newestMs = Math.max(lastMs, newestBackupMs(folder, nowMs) ?? -Infinity);
  // An hour, because a file system may round its times.
  const beforeMs = Math.min(nowMs - days * DAY_MS, newestMs - HOUR_MS);
  for (const old of listBackups(folder, BACKUP_NAME_OR_LEFTOVER)) {
    if (old.atMs < beforeMs) {
      rmSync(old.file, { force: true });
      log.info({ file: old.file }, "old backup removed");
    }
  }
}

/** `undefined` if there is no automatic backup. Ignores those that a wrong clock dated in the future. */
export function newestBackupMs(folder: string, nowMs: number): number | undefined {
  const times = listBackups(folder)
    .map(({ atMs }) => atMs)
    .filter((atMs) => atMs <= nowMs + CLOCK_TOLERANCE_MS);
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Lists the automatic backups, in no order. */
export function listBackups(folder: string, names = BACKUP_NAME): readonly Pick<Backup, "file" | "atMs">[] {
  try {
    return readdirSync(folder)
      .filter((name) => names.test(name))
      .map((name) => join(folder, name))
      .map((file) => ({ file, atMs: statSync(file).mtimeMs }));
  } catch {
    // The folder does not exist yet.
    return [];
  }
}
