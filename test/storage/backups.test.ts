// Making, checking and removing backups. test/restoring.test.ts has the tests of restoring them.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSandboxClock } from "../../sandbox/clock/clock.ts";
import { systemClock } from "../../src/core/clock.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { createLog } from "../../src/core/log.ts";
import { openDatabase } from "../../src/database.ts";
import {
  backUpBeforeMigration,
  nameBackup,
  newestBackupMs,
  readBackup,
  writeBackup,
} from "../../src/storage/backups.ts";
import { migrate, readVersion } from "../../src/storage/migrate.ts";
import { MIGRATIONS } from "../../src/storage/migrations.ts";
import { withEngine } from "../../src/storage/open-engine.ts";
import { createDatabaseWithoutTables, createTestDatabase, openTestDatabase } from "../open.ts";
import { findDatabases, sqlite } from "../support/databases.ts";
import { MEMORY_FOLDER } from "../support/memory-folder.ts";

const log = createLog({ level: "silent", secrets: [] });
const surroundings = { clock: systemClock, log };
const DAY_MS = 86_400_000;

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(MEMORY_FOLDER, "signalbox-backups-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const leftGuilds = (file: string) =>
  readBackup(systemClock, file, (_, { queries }) =>
    queries.selectFrom("leftGuilds").selectAll().orderBy("leftAt").execute(),
  );

for (const kind of await findDatabases()) {
  describe.skipIf(kind.missing !== undefined)(`a backup of ${kind.name}`, () => {
    it("is a snapshot, even while a bot writes", async () => {
      const url = await createTestDatabase(kind);
      const { leftGuilds: table } = await openTestDatabase(url);
      for (let id = 0; id < 450; id += 1) {
        await table.add(String(id), id);
      }
      const file = join(await createFolder(), "copy.db");
      const over = new AbortController();
      const writing = (async () => {
        for (let id = 450; !over.signal.aborted; id += 1) {
          await table.add(String(id), id);
          await setImmediate();
        }
      })();
      const { sums, atMs } = await writeBackup({ url, ...surroundings }, file);
      over.abort();
      await writing;
      const rows = await leftGuilds(file);
      expect(rows.length).toBeGreaterThanOrEqual(450);
      expect(rows.map(({ leftAt }) => leftAt)).toEqual(rows.map((_, index) => index));
      expect(sums["leftGuilds"]?.rows).toBe(rows.length);
      expect(Math.abs(atMs - Date.now())).toBeLessThan(600_000);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    });

    it("is made before a migration with the old data, and is not made twice", async () => {
      const url = await createDatabaseWithoutTables(kind);
      const folder = await createFolder();
      await withEngine({ url, ...surroundings, exclusive: false }, async (engine) => {
        await migrate(engine, surroundings, MIGRATIONS.slice(0, 6));
        await engine.queries.insertInto("leftGuilds").values({ guildId: "1", leftAt: 7 }).execute();
      });
      const options = { url, ...surroundings, exclusive: false };
      for (const backups of [
        { folder, days: 14 },
        { folder, days: 14 },
      ]) {
        await (await openDatabase({ ...options, backups })).close();
      }
      const [name = "", ...others] = readdirSync(folder);
      expect(others).toEqual([]);
      expect(name).toBe(`signalbox-before-version-${MIGRATIONS.length}.db`);
      expect(await leftGuilds(join(folder, name))).toEqual([{ guildId: "1", leftAt: 7 }]);
      await readBackup(systemClock, join(folder, name), async ({ version }) => expect(version).toBe(6));
    });

    it("stops the migration with a clear error if it cannot be written, unless backups are off", async () => {
      const url = await createDatabaseWithoutTables(kind);
      const parent = await createFolder();
      writeFileSync(join(parent, "taken"), "");
      const backups = { folder: join(parent, "taken", "backups"), days: 14 };
      const options = { url, ...surroundings, exclusive: false };
      await withEngine(options, (engine) => migrate(engine, surroundings, MIGRATIONS.slice(0, 6)));
      const opening = openDatabase({ ...options, backups });
      await expect(opening).rejects.toMatchObject({ name: "ConfigError", isTransient: false });
      await expect(opening).rejects.toThrow(
        /^This version must change the database, .*Nothing was changed\./,
      );
      expect(await withEngine(options, readVersion)).toBe(6);
      await (await openDatabase({ ...options, backups: { ...backups, days: 0 } })).close();
      expect(await withEngine(options, readVersion)).toBe(MIGRATIONS.length);
    });
  });
}

it("a full disk stops the migration before it begins, and a later start may succeed", async () => {
  const url = await createTestDatabase(sqlite);
  const full = new ServiceError("storage", "unavailable", "disk full", { reason: "disk full" });
  const options = { url, ...surroundings, exclusive: false, intercept: () => Promise.reject(full) };
  await expect(
    backUpBeforeMigration(options, { folder: await createFolder(), days: 14 }),
  ).rejects.toMatchObject({ name: "ConfigError", isTransient: true });
});

it("writeBackup refuses a missing or empty database", async () => {
  const folder = await createFolder();
  const copy = join(folder, "copy.db");
  const write = (url: string) => writeBackup({ url, ...surroundings }, copy);
  await expect(write(`sqlite:${join(folder, "typo.db")}`)).rejects.toThrow(
    `There is no file ${join(folder, "typo.db")}.`,
  );
  writeFileSync(join(folder, "empty.db"), "");
  await expect(write(`sqlite:${join(folder, "empty.db")}`)).rejects.toThrow(/nothing to back up/);
  expect(existsSync(copy)).toBe(false);
});

it("readBackup refuses a damaged file and one that is not a backup", async () => {
  const folder = await createFolder();
  const url = `sqlite:${join(folder, "bot.db")}`;
  const database = await openDatabase({ url, ...surroundings });
  await database.leftGuilds.add("1", 1);
  await database.close();
  const read = (file: string) => readBackup(systemClock, file, async ({ version }) => version);
  await expect(read(join(folder, "bot.db"))).rejects.toThrow(/is not a Signalbox backup/);
  const file = join(folder, "copy.db");
  await writeBackup({ url, ...surroundings }, file);
  expect(await read(file)).toBe(MIGRATIONS.length);
  // One row too many: the content no longer matches the file's own counts.
  await withEngine({ url: `sqlite:${file}`, ...surroundings, exclusive: false }, ({ queries }) =>
    queries.insertInto("leftGuilds").values({ guildId: "2", leftAt: 2 }).execute(),
  );
  await expect(read(file)).rejects.toThrow(/is damaged/);
  writeFileSync(file, "These are my notes. ".repeat(100));
  await expect(read(file)).rejects.toThrow(/is damaged/);
});

it("writeBackup reports progress until the end, and throws an unexpected error if the written file cannot be read", async () => {
  const folder = await createFolder();
  const url = `sqlite:${join(folder, "bot.db")}`;
  const database = await openDatabase({ url, ...surroundings });
  for (let id = 0; id < 100; id += 1) {
    await database.leftGuilds.add(String(id), id);
  }
  await database.close();
  const file = join(folder, "copy.db");
  let calls = 0;
  await writeBackup({ url, ...surroundings }, file, () => void (calls += 1));
  // Progress is reported while rows are copied and compared, and while the file is read again.
  expect(calls).toBe(6);
  rmSync(file);
  calls = 0;
  const breaking = writeBackup({ url, ...surroundings }, file, () => {
    calls += 1;
    if (calls === 5) {
      truncateSync(`${file}.part`, 4_096);
    }
  });
  const error: unknown = await breaking.catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    name: "Error",
    message: "the backup differs from the database",
    cause: { name: "ConfigError", cause: { message: expect.stringMatching(/malformed|I\/O/) } },
  });
  expect(readdirSync(folder)).not.toContain("copy.db");
});

it("a backup can be read in a read-only folder", async () => {
  const folder = await createFolder();
  const url = `sqlite:${join(folder, "bot.db")}`;
  await (await openDatabase({ url, ...surroundings })).close();
  const file = join(folder, "kept", "copy.db");
  await writeBackup({ url, ...surroundings }, file);
  await chmod(join(folder, "kept"), userInfo().uid === 0 ? 0o700 : 0o500);
  expect(await leftGuilds(file)).toEqual([]);
  expect(readdirSync(join(folder, "kept"))).toEqual(["copy.db"]);
  await chmod(join(folder, "kept"), 0o700);
});

it("maintenance makes one backup a day, removes old ones, and touches no other files", async () => {
  const folder = await createFolder();
  const clock = createSandboxClock({ atMs: Date.parse("2026-11-23T04:00:00Z"), mode: "still" });
  const backups = { folder, days: 3 };
  const database = await openDatabase({
    url: `sqlite:${join(folder, "signalbox-1.db")}`,
    clock,
    log,
    backups,
  });
  onTestFinished(() => database.close());
  writeFileSync(join(folder, "signalbox-2026-11-01T04-00-00Z.db.part"), "");
  writeFileSync(join(folder, "signalbox-2026-11-01T04-00-00Z.db.check"), "");
  writeFileSync(join(folder, "notes.db"), "");
  for (const name of readdirSync(folder)) {
    utimesSync(join(folder, name), 0, 0);
  }
  await database.eraseUser("7");
  const maintain = async (hours: number) => {
    for (let hour = 0; hour < hours; hour += 1) {
      await database.maintain();
      await database.removeOldBackups();
      await clock.advance(DAY_MS / 24);
    }
  };
  await maintain(24 * 2);
  expect(await database.erasures.all()).toHaveLength(1);
  await maintain(24 * 3 + 1);
  expect(await database.erasures.all()).toHaveLength(1);
  await maintain(1);
  expect(await database.erasures.all()).toEqual([]);
  expect(readdirSync(folder).filter((name) => !name.startsWith("signalbox-1.db"))).toEqual([
    "notes.db",
    "signalbox-2026-11-26T04-00-00Z.db",
    "signalbox-2026-11-27T04-00-00Z.db",
    "signalbox-2026-11-28T04-00-00Z.db",
  ]);
});

it("backups that are too old are removed on a machine where no more are made, and where one fails, but never the last one", async () => {
  const clock = createSandboxClock({ atMs: Date.parse("2026-11-23T04:00:00Z"), mode: "still" });
  const url = `sqlite:${join(await createFolder(), "bot.db")}`;
  const open = async (folder: string) => {
    const database = await openDatabase({ url, clock, log, exclusive: false, backups: { folder, days: 3 } });
    onTestFinished(() => database.close());
    return database;
  };
  const [folder, otherFolder] = [await createFolder(), await createFolder()];
  const [first, other] = [await open(folder), await open(otherFolder)];
  const remove = async (days: number) => {
    await clock.advance(days * DAY_MS);
    await first.removeOldBackups();
    await other.removeOldBackups();
    return [readdirSync(folder).length, readdirSync(otherFolder).length];
  };
  await first.maintain();
  expect(await remove(1)).toEqual([1, 0]);
  await first.maintain();
  expect(await remove(9)).toEqual([1, 0]);
  await other.maintain();
  expect(await remove(0)).toEqual([0, 1]);
  // A folder where the file should go makes the next backup fail.
  const failsAtMs = clock.now() + 9 * DAY_MS;
  const inTheWay = `${nameBackup(otherFolder, failsAtMs)}.part`;
  mkdirSync(inTheWay);
  utimesSync(inTheWay, failsAtMs / 1_000, failsAtMs / 1_000);
  await clock.advance(DAY_MS);
  await other.maintain();
  await clock.advance(8 * DAY_MS);
  await other.erasures.note({ guildId: undefined, userId: "7", atMs: clock.now() });
  await expect(other.maintain()).rejects.toThrow(/EISDIR|directory/);
  expect(await remove(0)).toEqual([0, 2]);
  // The erasure is remembered as long as a restored backup would need it.
  mkdirSync(`${nameBackup(otherFolder, failsAtMs + 20 * DAY_MS)}.part`);
  await clock.advance(20 * DAY_MS);
  await expect(other.maintain()).rejects.toThrow(/EISDIR|directory/);
  expect(await other.erasures.all()).toHaveLength(1);
});

it("a backup that a wrong clock dated in the future does not count", async () => {
  const folder = await createFolder();
  const clock = createSandboxClock({ atMs: Date.parse("2026-11-23T04:00:00Z"), mode: "still" });
  const url = `sqlite:${join(folder, "bot.db")}`;
  const database = await openDatabase({ url, clock, log, backups: { folder, days: 3 } });
  onTestFinished(() => database.close());
  const ahead = join(folder, "signalbox-2026-11-23T14-00-00Z.db");
  writeFileSync(ahead, "");
  utimesSync(ahead, clock.now() / 1_000 + 36_000, clock.now() / 1_000 + 36_000);
  expect(newestBackupMs(folder, clock.now())).toBeUndefined();
  await database.maintain();
  expect(readdirSync(folder)).toContain("signalbox-2026-11-23T04-00-00Z.db");
  expect(newestBackupMs(folder, clock.now())).toBe(clock.now());
});

it("maintenance writes the write-ahead log into the database file", async () => {
  const folder = await createFolder();
  const file = join(folder, "bot.db");
  const database = await openDatabase({ url: `sqlite:${file}`, ...surroundings });
  onTestFinished(() => database.close());
  expect(statSync(file).size).toBeLessThan(10_000);
  await database.maintain();
  expect(statSync(file).size).toBeGreaterThan(100_000);
});
