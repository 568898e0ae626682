// Restores backups, and moves everything from one database to another. A restore first copies the backup into a separate
// file, the staging database, where it is migrated and adjusted. So the real database changes all at once or not at all.
import { join } from "node:path";
import { prepareRestoredBoards } from "./boards/sending/slot-claims.ts";
import type { BackupSettings } from "./core/config.ts";
import { ConfigError } from "./core/errors.ts";
import { listAnd } from "./core/text.ts";
import { type Database, openDatabase } from "./database.ts";
import { endRestoredNotice } from "./operations/notice.ts";
import { type BudgetTerms, PLANNED_SERVICES, type PlannedService, countedMs } from "./plan/budget.ts";
import {
  type Backup,
  copyToFile,
  countRows,
  erasureRetentionMs,
  fileOptions,
  isBackup,
  keepCopy,
  listBackups,
  moveFiles,
  nameBackup,
  prepareFolder,
  readBackup,
  removeFiles,
  removeLabel,
  writeBackup,
} from "./storage/backups.ts";
import { listTables, readSums, replaceRows } from "./storage/copy-rows.ts";
import { type Erasure, createErasuresTable } from "./storage/owned-rows.ts";
import { createFactsTable } from "./storage/facts-table.ts";
import { createLeasesTable } from "./storage/leases-table.ts";
import { migrate, readCreation, readVersion } from "./storage/migrate.ts";
import { MIGRATIONS } from "./storage/migrations.ts";
import {
  type EngineOptions,
  fileOf,
  isEmbedded,
  nameDatabase,
  openEngine,
  withEngine,
} from "./storage/open-engine.ts";
import type { Engine, Queries } from "./storage/schema.ts";
import { prepareRestoredWatches } from "./watches/prepare-restored.ts";
import { DAY_MS } from "./time/wall-clock.ts";

export interface RestoreOptions extends EngineOptions {
  readonly backups: BackupSettings;
  readonly budgets: Readonly<Record<PlannedService, BudgetTerms | undefined>>;
  /** Default false: later calls are unknown, so the plans count as used up. */
  readonly trustsCount?: boolean;
}

/** A fleet's clocks differ, and an erasure may have begun before the backup and ended after it. */
const MARGIN_MS = 60_000;

/**
 * Replaces a database's content with a backup, which may be of another engine. Returns sentences for the operator. The old
 * content is backed up first. It is unknown what the bot did after the backup, so all of that counts as done: slots and
 * messages are not sent again, publications are reconciled, plans count as used up, and erasures are repeated. Throws a
 * ConfigError, without changing anything, if the backup cannot be restored or a bot runs on the database.
 */
export function restore(file: string, options: RestoreOptions): Promise<readonly string[]> {
  const { clock, backups } = options;
  return readBackup(clock, file, async (backup, from) => {
    const { engine: target, notes, undo } = await openTarget(options);
    try {
      await refuseRunning(target, options);
      if (await isBackup(target)) {
        const kept = `${fileOf(options.url)}.replaced-${clock.now()}`;
        await keepCopy(target, kept);
        notes.push(
          `The file that was there was itself a backup. A copy of it is at ${kept}: delete the copy once you no longer need it.`,
        );
      } else if ((await readVersion(target)) > 0) {
        const before = await writeBackup(options, nameBackup(backups.folder, clock.now()));
        notes.push(`The previous content is saved in ${before.file}.`);
      }
      notes.push(...(await replaceBy(from, { backup, target, options })));
    } catch (error) {
      await target.queries.destroy();
      undo();
      throw error;
    }
    await target.queries.destroy();
    const made = `made at ${formatMoment(backup.atMs)} (${countRows(backup)})`;
    return [`Restored into ${nameDatabase(options.url)}: ${file}, ${made}.`, ...notes];
  });
}

/**
 * Copies a database's content into an empty database, and then marks the old one as moved, so that no bot starts on it any
 * more. Returns sentences for the operator. Throws a ConfigError if the content cannot be moved; the old database then stays
 * unmarked.
 */
export async function move(
  to: string,
  options: Omit<RestoreOptions, "budgets" | "trustsCount">,
): Promise<readonly string[]> {
  const { clock, backups } = options;
  if ((await withEngine({ ...options, readOnly: true }, readVersion)) === 0) {
    throw new ConfigError(["The database to move from is empty."]);
  }
  const source = await openDatabase(options);
  async function guard(): Promise<void> {
    if (source.isShared && (await source.leases.isAnyTaken())) {
      throw stillRunning();
    }
  }
  try {
    await guard();
    const { file } = await writeBackup(options, nameBackup(backups.folder, clock.now()));
    const moved = await readBackup(clock, file, (backup, from) =>
      withEngine({ ...options, url: to }, async (target) => {
        const tables = await listTables(from);
        await refuseNonEmpty(target, tables);
        await migrate(target, options);
        await replaceRows({ from, to: target, tables, guard });
        return countRows(backup);
      }),
    );
    await source.facts.storeIfAbsent("moved", formatMoment(clock.now()));
    return [
      `Moved and compared: ${moved}. Set DATABASE_URL to the new database and start the bot. It no longer starts on the old one, which still has everything. A backup is in ${file}.`,
    ];
  } finally {
    await source.close();
  }
}

/** Replaces the target's content with the backup. Returns sentences for the operator. */
async function replaceBy(from: Engine, replaced: Replaced): Promise<readonly string[]> {
  const { backup, target, options } = replaced;
  const { clock, log, backups } = options;
  await migrate(target, { clock, log });
  const file = join(backups.folder, "restoring.db");
  prepareFolder(backups.folder);
  removeFiles(file);
  try {
    await copyToFile(from, { file, version: backup.version, clock });
    const staged = fileOptions({ clock }, file);
    await withEngine(staged, async (engine) => {
      // The backup may be of a database that had already been moved. It can be restored like any other.
      if (await isMoved(engine)) {
        await createFactsTable(engine.queries).remove("moved");
      }
    });
    const staging = await openDatabase(staged);
    let notes: readonly string[];
    try {
      notes = await withEngine(staged, (engine) => assumeDone(staging, engine, replaced));
    } finally {
      await staging.close();
    }
    const guard = (queries: Queries) => refuseRunning(target, options, queries);
    await withEngine({ ...staged, readOnly: true }, async (engine) => {
      await replaceRows({ from: engine, to: target, tables: await listTables(engine), guard });
    });
    await removeLabel(target);
    return notes;
  } finally {
    removeFiles(file);
  }
}

/**
 * Opens the database to restore into. First renames a SQLite file that is damaged, or that a newer version has used, with the
 * files that belong to it; `undo` renames them back, once the engine is closed.
 */
async function openTarget(
  options: EngineOptions,
): Promise<{ readonly engine: Engine; readonly notes: string[]; readonly undo: () => void }> {
  const { url, clock } = options;
  try {
    const engine = await openEngine(options);
    if ((await readVersion(engine)) <= MIGRATIONS.length) {
      return { engine, notes: [], undo: () => undefined };
    }
    await engine.queries.destroy();
    if (!isEmbedded(url)) {
      throw new ConfigError([
        "DATABASE_URL names a database that a newer Signalbox has used. Create an empty one for this version, set DATABASE_URL to that, and restore into it.",
      ]);
    }
  } catch (error) {
    if (!(error instanceof ConfigError && error.isDamaged)) {
      throw error;
    }
  }
  const file = fileOf(url);
  const aside = `${file}.replaced-${clock.now()}`;
  function undo(): void {
    removeFiles(file);
    moveFiles(aside, file);
  }
  moveFiles(file, aside);
  try {
    return {
      engine: await openEngine(options),
      notes: [
        `The file that was there could not be read. It is now ${aside}: delete it once you no longer need it.`,
      ],
      undo,
    };
  } catch (error) {
    undo();
    throw error;
  }
}

/** Throws a ConfigError while a bot uses a PostgreSQL database. A SQLite file in use could not have been opened. */
async function refuseRunning(
  target: Engine,
  { url }: EngineOptions,
  queries = target.queries,
): Promise<void> {
  const isShared = !isEmbedded(url) && (await target.hasTable("leases"));
  if (isShared && (await createLeasesTable({ ...target, queries }).isAnyTaken())) {
    throw stillRunning();
  }
}

function stillRunning(): ConfigError {
  const sentence =
    "A bot runs on that database, or was killed less than half a minute ago. Stop it, and try again.";
  return new ConfigError([sentence], { isTransient: true });
}

async function refuseNonEmpty(target: Engine, tables: readonly string[]): Promise<void> {
  const version = await readVersion(target);
  const sums = version === MIGRATIONS.length ? await readSums(target, tables) : {};
  const isEmpty = Object.entries(sums).every(([table, { rows }]) => table === "migrations" || rows === 0);
  if (version > 0 && (version !== MIGRATIONS.length || !isEmpty)) {
    throw new ConfigError([
      "The database to move to is not empty. Name one that is: a SQLite file that does not exist yet, or a new PostgreSQL database.",
    ]);
  }
}

interface Replaced {
  readonly backup: Backup;
  /** The database whose content is replaced; already migrated. */
  readonly target: Engine;
  readonly options: RestoreOptions;
}

/** As if the bot had done everything that it may have done since the backup. Returns sentences for the operator. */
async function assumeDone(staging: Database, engine: Engine, replaced: Replaced): Promise<readonly string[]> {
  const { backup, target, options } = replaced;
  const { clock, log, backups, trustsCount = false } = options;
  const at = { sinceMs: backup.atMs, nowMs: clock.now(), log };
  await prepareRestoredBoards(staging.boards, at);
  await prepareRestoredWatches(staging, at);
  await staging.publications.distrust(backup.atMs);
  await endRestoredNotice(staging.facts);
  await staging.leases.clear();
  const creation = await readCreation(engine);
  const newest = await readNewest(options, backup, creation);
  const erased = [...newest.erased, ...(await createErasuresTable(target.queries).all())];
  await eraseAgain(staging, erased, backup.atMs - MARGIN_MS);
  // The database that was backed up knows what happened since. A new one, or a backup, in its place does not.
  const isKnown =
    (await readCreation(target)) === creation && !(await isBackup(target)) && !(await isMoved(target));
  if (isKnown && !trustsCount) {
    await replaceRows({ from: target, to: engine, tables: ["spending", "closings"] });
  }
  const lastMs = erasureRetentionMs(backups);
  const knownUntilMs = isKnown ? at.nowMs : newest.atMs;
  const notes = [
    !isKnown && !trustsCount && (await countAsSpent(staging, options)),
    !isKnown &&
      `Anyone who had their data erased after ${formatMoment(newest.atMs)} has to do it again, because there is no record of it here.`,
    knownUntilMs - backup.atMs > lastMs &&
      `The backup is older than the ${lastMs / DAY_MS} days for which the bot remembers whose data it erased. Anyone who had theirs erased between ${formatMoment(backup.atMs)} and ${formatMoment(knownUntilMs - lastMs)} has to do it again.`,
  ];
  return notes.filter((note) => note !== false && note !== undefined);
}

/** Whether the database was moved, so that its bot has used another one since. */
async function isMoved({ queries, hasTable }: Engine): Promise<boolean> {
  return (await hasTable("facts")) && (await createFactsTable(queries).read("moved")) !== undefined;
}

/** The erasures in the newest of the same database's backups, if one is newer than this backup; otherwise none. */
async function readNewest(
  { clock, backups }: RestoreOptions,
  { atMs }: Backup,
  creation: number | undefined,
): Promise<{ readonly erased: readonly Erasure[]; readonly atMs: number }> {
  const newer = listBackups(backups.folder).filter((each) => each.atMs > atMs);
  for (const { file } of newer.toSorted((a, b) => b.atMs - a.atMs)) {
    const reading = readBackup(clock, file, async (found, engine) =>
      found.atMs > atMs && (await readCreation(engine)) === creation && !(await isMoved(engine))
        ? {
            atMs: found.atMs,
            erased: (await engine.hasTable("erasures"))
              ? await createErasuresTable(engine.queries).all()
              : [],
          }
        : undefined,
    );
    const known = await reading.catch(() => undefined);
    if (known !== undefined) {
      return known;
    }
  }
  return { erased: [], atMs };
}

async function eraseAgain(staging: Database, known: readonly Erasure[], sinceMs: number): Promise<void> {
  for (const erasure of known) {
    await staging.erasures.note(erasure);
  }
  for (const { guildId, userId, atMs } of await staging.erasures.all()) {
    if (atMs >= sinceMs) {
      await (guildId === undefined ? staging.eraseUser(userId ?? "") : staging.eraseGuild(guildId));
    }
  }
}

/** Returns a sentence for the operator; `undefined` if there are no plans. */
async function countAsSpent(
  { spending }: Database,
  { budgets, clock }: RestoreOptions,
): Promise<string | undefined> {
  const ends: string[] = [];
  for (const service of PLANNED_SERVICES) {
    const terms = budgets[service];
    if (terms) {
      const windowMs = countedMs(terms, service);
      await spending.useUp({ service, windowMs, limit: terms.calls });
      ends.push(`${service} until ${formatMoment(clock.now() + windowMs)}`);
    }
  }
  return ends.length === 0
    ? undefined
    : `Unless a plan is nearly used up, run the same command again with --trust-count. Until then, the plans count as used up, because there is no record of the calls that the bot made after the backup: ${listAnd(ends)}.`;
}

function formatMoment(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
