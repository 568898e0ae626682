// Restoring a backup, and moving everything from one engine to the other. test/e2e/restore.test.ts checks with a whole
// bot that nothing is sent twice afterwards.
import { cpSync, existsSync, readdirSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSandboxClock } from "../sandbox/clock/clock.ts";
import { systemClock } from "../src/core/clock.ts";
import { readStorage } from "../src/core/config.ts";
import { ConfigError } from "../src/core/errors.ts";
import { createLog } from "../src/core/log.ts";
import { type Database, openDatabase } from "../src/database.ts";
import { countedMs, createBudget } from "../src/plan/budget.ts";
import { type RestoreOptions, move, restore } from "../src/restoring.ts";
import { readBackup, writeBackup } from "../src/storage/backups.ts";
import { listTables, readSums } from "../src/storage/copy-rows.ts";
import { migrate } from "../src/storage/migrate.ts";
import { MIGRATIONS } from "../src/storage/migrations.ts";
import { type Intercept, withEngine } from "../src/storage/open-engine.ts";
import { boardRecord } from "./boards/board-record.ts";
import { createDatabaseWithoutTables } from "./open.ts";
import { findDatabases, findPostgres } from "./support/databases.ts";
import { MEMORY_FOLDER } from "./support/memory-folder.ts";
import { boardSettings } from "./support/subscriptions.ts";
import { watchSettings, watchedCommute } from "./support/watches.ts";
import { publicationRecord, videoSampleRecord } from "./videos/video-rows.ts";
import { watchRecord } from "./watches/watch-record.ts";
import { anyCharacter } from "./support/any-character.ts";

const log = createLog({ level: "silent", secrets: [] });
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NO_BUDGETS = readStorage({}).budgets;
const kinds = await findDatabases();
const postgres = await findPostgres();

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(MEMORY_FOLDER, "signalbox-restoring-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A database with its backups, on a clock that stands still at 07:30 on a Monday. */
async function prepare(url: string) {
  const clock = createSandboxClock({ atMs: Date.parse("2026-11-23T07:30:10Z"), mode: "still" });
  const backups = { folder: await createFolder(), days: 14 };
  const options: RestoreOptions = {
    url,
    clock,
    log,
    databaseNow: () => clock.now(),
    backups,
    budgets: NO_BUDGETS,
  };
  return {
    clock,
    folder: backups.folder,
    options,
    /** Opens the database as the bot does, and runs `work`. */
    use: async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
      const database = await openDatabase(options);
      try {
        return await work(database);
      } finally {
        await database.close();
      }
    },
    backUp: async (name: string) => (await writeBackup(options, join(backups.folder, name))).file,
  };
}

/** Migrates a database as a newer version would. */
function migrateAsNewer(options: RestoreOptions): Promise<void> {
  return withEngine(options, (engine) => migrate(engine, options, [...MIGRATIONS, async () => undefined]));
}

for (const kind of kinds) {
  describe.skipIf(kind.missing !== undefined)(`a backup restored into ${kind.name}`, () => {
    it("replaces the previous content, which is saved as another backup", async () => {
      const { options, use, backUp, clock } = await prepare(await createDatabaseWithoutTables(kind));
      await use(({ leftGuilds }) => leftGuilds.add("1", 1));
      const file = await backUp("first.db");
      await use(({ leftGuilds }) => leftGuilds.add("2", 2));
      await clock.advance(MINUTE_MS);
      const [restored, before = ""] = await restore(file, options);
      // Without the password.
      const target = /^(?:sqlite:|postgres:\/\/.+@)([^?]+)/.exec(options.url)?.[1];
      expect(restored).toBe(
        `Restored into ${target}: ${file}, made at 2026-11-23 07:30 UTC (${MIGRATIONS.length + 1} rows).`,
      );
      expect(await use(({ leftGuilds }) => leftGuilds.leftBefore(9))).toEqual(["1"]);
      const kept = /The previous content is saved in (.+)\.$/.exec(before)?.[1] ?? "";
      await restore(kept, options);
      expect(await use(({ leftGuilds }) => leftGuilds.leftBefore(9))).toEqual(["1", "2"]);
    });

    it("is migrated if an older version made it", async () => {
      const { options, use, backUp } = await prepare(await createDatabaseWithoutTables(kind));
      await withEngine({ ...options, exclusive: false }, async (engine) => {
        await migrate(engine, options, MIGRATIONS.slice(0, 6));
        await engine.queries.insertInto("leftGuilds").values({ guildId: "1", leftAt: 1 }).execute();
      });
      const file = await backUp("old.db");
      await use(({ leftGuilds }) => leftGuilds.add("2", 2));
      await restore(file, options);
      expect(await use(({ leftGuilds }) => leftGuilds.leftBefore(9))).toEqual(["1"]);
    });

    it("is refused, and changes nothing, while a bot uses the database", async () => {
      const { options, use, backUp } = await prepare(await createDatabaseWithoutTables(kind));
      await use(({ leftGuilds }) => leftGuilds.add("1", 1));
      const file = await backUp("first.db");
      await use(async ({ leftGuilds, leases }) => {
        await leftGuilds.add("2", 2);
        await leases.take("jobs", "somebody", 18_000);
        await expect(restore(file, options)).rejects.toThrow(/another bot uses|A bot runs on that database/);
        expect(await leftGuilds.leftBefore(9)).toEqual(["1", "2"]);
      });
    });

    it("repeats later erasures, and counts later calls unless told to trust its own count", async () => {
      const { options, use, backUp, clock } = await prepare(await createDatabaseWithoutTables(kind));
      const terms = { calls: 3, windowMs: HOUR_MS };
      const budgetOf = ({ spending }: Database) => createBudget({ spending, terms, clock, log });
      await use(async (database) => {
        await database.boards.add(boardRecord({ id: "b1", guildId: "1", createdBy: "7" }));
        await database.boards.add(boardRecord({ id: "b2", guildId: "2", createdBy: "8" }));
        await database.boards.add(boardRecord({ id: "b3", guildId: "3", createdBy: "7" }));
        await database.eraseUser("8");
        await budgetOf(database).take("person");
      });
      await clock.advance(HOUR_MS / 2);
      const file = await backUp("first.db");
      await use(async (database) => {
        await database.eraseUser("7");
        await database.eraseGuild("3");
        await budgetOf(database).take("board");
      });
      await clock.advance(MINUTE_MS);
      const budgets = { ...NO_BUDGETS, transport: terms };
      const told = await restore(file, { ...options, budgets });
      expect(told).toHaveLength(2);
      const kept = await use(async (database) => ({
        owners: [await database.boards.get("b1"), await database.boards.get("b3")].map(
          (each) => each?.createdBy,
        ),
        guilds: (await database.guildIds()).toSorted(),
        erased: await database.erasures.all(),
        used: (await budgetOf(database).state()).used,
      }));
      expect(kept).toMatchObject({ owners: [undefined, undefined], guilds: ["1", "2"], used: 2 });
      expect(kept.erased.map(({ userId, guildId }) => userId ?? String(guildId)).toSorted()).toEqual([
        "3",
        "7",
        "8",
      ]);
      // The same, with the count of calls from the backup.
      await restore(file, { ...options, budgets, trustsCount: true });
      expect(await use(async (database) => (await budgetOf(database).state()).used)).toBe(1);
    });

    it("counts the plans as used up if the database is lost, and repeats erasures that a newer backup knows", async () => {
      const lost = await prepare(await createDatabaseWithoutTables(kind));
      await lost.use((database) => database.boards.add(boardRecord({ createdBy: "7" })));
      const file = await lost.backUp("first.db");
      await lost.clock.advance(HOUR_MS);
      await lost.use((database) => database.eraseUser("7"));
      await lost.clock.advance(HOUR_MS);
      await lost.backUp("signalbox-2026-11-23T09-30-10Z.db");
      const terms = { calls: 30, windowMs: 24 * HOUR_MS };
      const url = await createDatabaseWithoutTables(kind);
      const options = { ...lost.options, url, budgets: { ...NO_BUDGETS, transport: terms, style: terms } };
      await lost.clock.advance(HOUR_MS);
      expect((await restore(file, options)).slice(1)).toEqual([
        "Unless a plan is nearly used up, run the same command again with --trust-count. Until then, the plans count as used up, because there is no record of the calls that the bot made after the backup: transport until 2026-11-24 10:30 UTC and style until 2026-11-24 10:31 UTC.",
        "Anyone who had their data erased after 2026-11-23 09:30 UTC has to do it again, because there is no record of it here.",
      ]);
      const database = await openDatabase({ ...options, exclusive: false });
      onTestFinished(() => database.close());
      expect((await database.boards.get("board001"))?.createdBy).toBeUndefined();
      const budget = createBudget({ spending: database.spending, terms, clock: lost.clock, log });
      await expect(budget.take("person")).rejects.toThrow(/no call left/);
      await lost.clock.advance(countedMs(terms));
      await budget.take("person");
    });

    it("treats slots, messages and publications as possibly sent until they are reconciled", async () => {
      const { options, use, backUp, clock } = await prepare(await createDatabaseWithoutTables(kind));
      const sinceMs = clock.now();
      const commute = watchSettings({ what: watchedCommute() });
      await use(async (database) => {
        const settings = JSON.stringify(boardSettings());
        await database.boards.add(boardRecord({ settings, nextSlotMs: sinceMs + 1, shownHash: "old" }));
        await database.watches.add(watchRecord({ settings: JSON.stringify(commute), state: "active" }));
        for (const state of ["draft", "awaiting-approval", "uploading", "published"] as const) {
          await database.publications.add(
            publicationRecord({ id: state, state, stateAtMs: 5, videoId: undefined }),
          );
        }
        await database.facts.storeIfAbsent(
          "notice",
          JSON.stringify({
            id: "n1",
            text: "Hello",
            state: "sending",
            channels: 9,
            posted: 3,
            unreachable: 1,
            unsure: 0,
          }),
        );
      });
      const file = await backUp("first.db");
      await clock.advance(25 * MINUTE_MS);
      await restore(file, options);
      await use(async (database) => {
        expect(await database.boards.get("board001")).toMatchObject({
          claimedSlotMs: Date.parse("2026-11-23T07:30:00Z"),
          claimedUntilMs: sinceMs,
          nextSlotMs: Date.parse("2026-11-23T08:00:00Z"),
          shownHash: undefined,
        });
        expect(await database.incidents.ofWatch("watch001")).toMatchObject([
          { day: "2026-11-23", postingSinceMs: sinceMs, messageId: undefined },
        ]);
        const pending = {
          state: "uploading",
          pendingWrite: "simple",
          pendingSinceMs: 5,
          postingSinceMs: sinceMs,
        };
        const get = (id: string) => database.publications.get(id);
        expect(await get("uploading")).toMatchObject({ ...pending, nextAtMs: 0, linkEndsAtMs: 86_400_000 });
        expect(await get("awaiting-approval")).toMatchObject({ ...pending, linkEndsAtMs: sinceMs });
        expect(await get("published")).toMatchObject({ state: "published", pendingWrite: undefined });
        expect(await get("draft")).toMatchObject({ state: "draft", postingSinceMs: undefined });
        expect(JSON.parse((await database.facts.read("notice")) ?? "")).toMatchObject({
          state: "sent",
          unsure: 5,
        });
      });
    });
  });
}

describe("a SQLite file", () => {
  it("is replaced together with the write-ahead log that a killed bot left", async () => {
    const { options, use, backUp, folder } = await prepare(`sqlite:${join(await createFolder(), "bot.db")}`);
    await use(({ leftGuilds }) => leftGuilds.add("1", 1));
    const file = await backUp("first.db");
    const killed = join(folder, "killed.db");
    await use(async ({ leftGuilds }) => {
      await leftGuilds.add("2", 2);
      // Copies the files as they are now, as if a process were killed at this point.
      for (const ending of ["", "-wal", "-shm"]) {
        cpSync(`${options.url.slice("sqlite:".length)}${ending}`, `${killed}${ending}`);
      }
    });
    const restored = { ...options, url: `sqlite:${killed}` };
    const read = async () => {
      const database = await openDatabase(restored);
      const left = await database.leftGuilds.leftBefore(9);
      await database.close();
      return left;
    };
    expect(await read()).toEqual(["1", "2"]);
    await restore(file, restored);
    expect(await read()).toEqual(["1"]);
    expect(existsSync(`${killed}-wal`)).toBe(false);
  });

  it("is moved aside if it is damaged or newer than this version", async () => {
    const home = await createFolder();
    const url = `sqlite:${join(home, "bot.db")}`;
    const { options, use, backUp } = await prepare(url);
    await use(({ leftGuilds }) => leftGuilds.add("1", 1));
    const file = await backUp("first.db");
    truncateSync(join(home, "bot.db"), 20_000);
    const [, aside = ""] = await restore(file, options);
    const name = /It is now (.+): delete it/.exec(aside)?.[1] ?? "";
    expect(readdirSync(home).map((each) => join(home, each))).toContain(name);
    await migrateAsNewer(options);
    await restore(file, { ...options, clock: systemClock });
    expect(await use(({ leftGuilds }) => leftGuilds.leftBefore(9))).toEqual(["1"]);
  });

  it("is back in its place after a restore that fails", async () => {
    const home = await createFolder();
    const { options, use, backUp } = await prepare(`sqlite:${join(home, "bot.db")}`);
    await use(({ leftGuilds }) => leftGuilds.add("1", 1));
    const file = await backUp("first.db");
    await migrateAsNewer(options);
    const intercept: Intercept = async (statement, run) => {
      if (statement.startsWith("delete")) {
        throw new Error("the disk is full");
      }
      return run();
    };
    await expect(restore(file, { ...options, intercept })).rejects.toThrow("the disk is full");
    expect(readdirSync(home)).toEqual(["bot.db", "bot.db-lock"]);
    await expect(use(async () => undefined)).rejects.toThrow(/a newer Signalbox has used/);
  });

  it("can be restored from a backup older than the record of erasures, and the operator is told which period is missing", async () => {
    const { options, use, backUp, clock } = await prepare(`sqlite:${join(await createFolder(), "bot.db")}`);
    await use(async () => undefined);
    const file = await backUp("first.db");
    await clock.advance(16 * DAY_MS);
    expect(await restore(file, options)).toHaveLength(2);
    await clock.advance(DAY_MS);
    expect((await restore(file, options)).slice(2)).toEqual([
      "The backup is older than the 16 days for which the bot remembers whose data it erased. Anyone who had theirs erased between 2026-11-23 07:30 UTC and 2026-11-24 07:30 UTC has to do it again.",
    ]);
  });

  it("is restored with the erasures that the newest readable backup knows if it replaces a lost file", async () => {
    const { options, use, backUp, clock, folder } = await prepare(
      `sqlite:${join(await createFolder(), "bot.db")}`,
    );
    await use((database) => database.boards.add(boardRecord({ createdBy: "7" })));
    const file = await backUp("first.db");
    await clock.advance(HOUR_MS);
    await use((database) => database.eraseUser("7"));
    await backUp("signalbox-2026-11-23T08-30-10Z.db");
    await clock.advance(HOUR_MS);
    const unreadable = join(folder, "signalbox-2026-11-23T09-30-10Z.db");
    writeFileSync(unreadable, "no backup");
    utimesSync(unreadable, clock.now() / 1_000, clock.now() / 1_000);
    await clock.advance(HOUR_MS);
    // A bot has started on an empty file: restoring backs that up, too.
    const fresh = { ...options, url: `sqlite:${join(folder, "fresh.db")}` };
    await (await openDatabase(fresh)).close();
    expect((await restore(file, fresh)).slice(2)).toEqual([
      "Anyone who had their data erased after 2026-11-23 08:30 UTC has to do it again, because there is no record of it here.",
    ]);
    const database = await openDatabase(fresh);
    onTestFinished(() => database.close());
    expect((await database.boards.get("board001"))?.createdBy).toBeUndefined();
  });

  it("has no record of later calls and erasures once its content was moved", async () => {
    const home = await createFolder();
    const first = await prepare(`sqlite:${join(home, "first.db")}`);
    const terms = { calls: 3, windowMs: 24 * HOUR_MS };
    await first.use(async () => undefined);
    const second = { ...first.options, url: `sqlite:${join(home, "second.db")}` };
    await move(second.url, first.options);
    await first.clock.advance(HOUR_MS);
    const file = join(first.folder, "signalbox-2026-11-23T08-30-10Z.db");
    await writeBackup(second, file);
    await first.clock.advance(HOUR_MS);
    const budgets = { ...NO_BUDGETS, transport: terms };
    expect((await restore(file, { ...first.options, budgets })).slice(2)).toEqual([
      expect.stringMatching(/there is no record of the calls that the bot made after the backup/),
      "Anyone who had their data erased after 2026-11-23 08:30 UTC has to do it again, because there is no record of it here.",
    ]);
    const used = await first.use(
      async ({ spending }) => (await createBudget({ spending, terms, clock: first.clock, log }).state()).used,
    );
    expect(used).toBe(terms.calls);
  });

  it("is saved as a backup that can be restored even if its content was moved", async () => {
    const home = await createFolder();
    const first = await prepare(`sqlite:${join(home, "first.db")}`);
    await first.use(({ boards }) => boards.add(boardRecord()));
    const file = await first.backUp("by-hand.db");
    await move(`sqlite:${join(home, "second.db")}`, first.options);
    await first.clock.advance(HOUR_MS);
    const told = (await restore(file, first.options)).join(" ");
    const kept = /The previous content is saved in (\S+\.db)/.exec(told)?.[1] ?? "";
    await restore(kept, first.options);
    expect(await first.use(({ boards }) => boards.get(boardRecord().id))).toBeDefined();
  });

  it("that is a copy of a backup, on which no bot starts, can be restored from the backup or from itself", async () => {
    const path = join(await createFolder(), "bot.db");
    const { use, backUp, options, clock } = await prepare(`sqlite:${path}`);
    const terms = { calls: 3, windowMs: HOUR_MS };
    const budgets = { ...NO_BUDGETS, transport: terms };
    await use(({ leftGuilds }) => leftGuilds.add("1", 1));
    const file = await backUp("first.db");
    for (const from of [file, path]) {
      await clock.advance(1);
      cpSync(file, path);
      await expect(use(async () => undefined)).rejects.toThrow(/names a backup\. Restore it/);
      const [, kept = "", ...unknown] = await restore(from, { ...options, budgets });
      await readBackup(
        options.clock,
        /it is at (.+): delete the copy/.exec(kept)?.[1] ?? "",
        async () => undefined,
      );
      // A copy of the backup does not know what the bot did later.
      expect(unknown).toEqual([
        expect.stringMatching(/the plans count as used up/),
        expect.stringMatching(/^Anyone who had their data erased after/),
      ]);
      expect(await use(({ leftGuilds }) => leftGuilds.leftBefore(9))).toEqual(["1"]);
    }
  });
});

describe.skipIf(postgres.missing !== undefined)("a bot that starts on PostgreSQL meanwhile", () => {
  /** Takes a lease, as a bot does, after the first statement that contains `part`. */
  const startAt =
    ({ leases }: Database, part: string): Intercept =>
    async (statement, run) => {
      const result = await run();
      if (statement.includes(part)) {
        await leases.take("jobs", "somebody", 18_000);
      }
      return result;
    };

  it("and has left again no longer makes a restore fail", async () => {
    const { options, use, backUp } = await prepare(await createDatabaseWithoutTables(postgres));
    await use(async ({ shardLeases }) => {
      await shardLeases.announce("somebody");
      await shardLeases.renew("somebody", new Map());
      await shardLeases.claim("somebody", ["0/1"]);
    });
    const file = await backUp("first.db");
    await expect(restore(file, options)).rejects.toThrow(/A bot runs on that database/);
    await use(({ shardLeases }) => shardLeases.leave("somebody"));
    await expect(restore(file, options)).rejects.toThrow(/A bot runs on that database/);
    await use(({ shardLeases }) => shardLeases.release("somebody", "0/1", null));
    expect((await restore(file, options))[0]).toMatch(/^Restored into /);
  });

  it("makes a restore fail without changing anything", async () => {
    const { options, use, backUp } = await prepare(await createDatabaseWithoutTables(postgres));
    await use(({ leftGuilds }) => leftGuilds.add("1", 1));
    const file = await backUp("first.db");
    await use(async (database) => {
      await database.leftGuilds.add("2", 2);
      // The database that is replaced is read last.
      const intercept = startAt(database, 'from "erasures"');
      await expect(restore(file, { ...options, intercept })).rejects.toThrow(/^A bot runs on that database/);
      expect(await database.leftGuilds.leftBefore(9)).toEqual(["1", "2"]);
    });
  });

  it("makes a move fail, and the move can be repeated", async () => {
    const { options, use } = await prepare(await createDatabaseWithoutTables(postgres));
    const to = `sqlite:${join(await createFolder(), "second.db")}`;
    await use(async (database) => {
      await database.leftGuilds.add("1", 1);
      const intercept = startAt(database, "insert into migrations");
      await expect(move(to, { ...options, intercept })).rejects.toThrow(/^A bot runs on that database/);
      expect(await database.facts.read("moved")).toBeUndefined();
      await database.leases.clear();
    });
    expect(await move(to, options)).toHaveLength(1);
  });
});

describe.skipIf(postgres.missing !== undefined)("a move", () => {
  /** Text that people write, and text that nobody writes; PostgreSQL cannot store NUL. */
  const text = fc
    .oneof(fc.string({ unit: anyCharacter }), fc.json(), fc.constantFrom("", "null", "'; --", "a\u2028b"))
    .map((each) => each.replaceAll("\0", ""));

  async function sumsOf(url: string, options: RestoreOptions) {
    const tables = await withEngine({ ...options, url: "sqlite::memory:" }, async (empty) => {
      await migrate(empty, options);
      return listTables(empty);
    });
    const { facts: _mark, ...sums } = await withEngine({ ...options, url }, (engine) =>
      readSums(engine, tables),
    );
    return sums;
  }

  it("copies everything to PostgreSQL and back, and leaves a source on which no bot starts", async () => {
    const home = await createFolder();
    const first = `sqlite:${join(home, "first.db")}`;
    const server = await createDatabaseWithoutTables(postgres);
    const { options, use } = await prepare(first);
    const samples = fc.sample(
      fc.record({ title: text, views: fc.option(fc.double({ noNaN: true })), at: fc.maxSafeNat() }),
      450,
    );
    await use(async ({ publications, videoRecords }) => {
      for (const [index, { title, views, at }] of samples.entries()) {
        await videoRecords.addSample(
          videoSampleRecord({ videoId: String(index), atMs: at, views: views ?? undefined }),
        );
        await publications.add(
          publicationRecord({ id: `p${index}`, title, sizeBytes: at, videoId: undefined }),
        );
      }
    });
    const before = await sumsOf(first, options);
    expect(before["publications"]?.rows).toBe(450);
    const [moved] = await move(server, options);
    expect(moved).toMatch(/^Moved and compared: \d+ rows\. Set DATABASE_URL to the new database/);
    expect(await sumsOf(server, options)).toEqual(before);
    await expect(openDatabase(options)).rejects.toThrow(
      "DATABASE_URL names a database whose content was moved to another one (2026-11-23 07:30 UTC).",
    );
    const second = `sqlite:${join(home, "second.db")}`;
    await move(second, { ...options, url: server });
    expect(await sumsOf(second, options)).toEqual(before);
  });

  it("is refused if the target is not empty or the source does not exist", async () => {
    const home = await createFolder();
    const { options, use } = await prepare(`sqlite:${join(home, "first.db")}`);
    await use(({ leftGuilds }) => leftGuilds.add("1", 1));
    const filled = await prepare(await createDatabaseWithoutTables(postgres));
    await filled.use(({ leftGuilds }) => leftGuilds.add("2", 2));
    const moving = move(filled.options.url, options);
    await expect(moving).rejects.toThrow(ConfigError);
    await expect(moving).rejects.toThrow(/^The database to move to is not empty\./);
    expect(await use(({ leftGuilds }) => leftGuilds.leftBefore(9))).toEqual(["1"]);
    const missing = { ...options, url: `sqlite:${join(home, "typo.db")}` };
    await expect(move(await createDatabaseWithoutTables(postgres), missing)).rejects.toThrow(
      /^There is no file /,
    );
  });
});
