// A year of an operator, in order: wrong settings, an upgrade from an early version, an erasure, a restored backup,
// PostgreSQL, a new key, and back to a file. The clock is the sandbox's; the operator's commands are called as
// functions.
import { randomBytes } from "node:crypto";
import { mkdtempDisposable, readFile, readdir } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createBotControl, type BotControl } from "../../sandbox/bot/control.ts";
import { readStorage } from "../../src/core/config.ts";
import { createLog } from "../../src/core/log.ts";
import { move, restore } from "../../src/restoring.ts";
import { nameBackup, writeBackup } from "../../src/storage/backups.ts";
import { openBoardCard, watchBoardPosts } from "../support/board-posts.ts";
import { findPostgres } from "../support/databases.ts";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";
import { MEMORY_FOLDER } from "../support/memory-folder.ts";
import { startProgram } from "../support/program.ts";

/**
 * The database of commit 2fb9c4e on 18 November 2026: boards, watches, an account, and a video scheduled for Friday.
 */
const EARLY_DATABASE = new URL("../fixtures/database-2fb9c4e.sql", import.meta.url);
reportChecks();

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const postgres = await findPostgres();

const WRONG_SETTINGS: Readonly<Record<string, string>> = {
  DISCORD_TOKEN: "",
  DATABASE_URL: "mysql://localhost/bot",
  TRANSPORT_BUDGET: "",
  TIME_ZONE: "Europe/Londn",
  SECRET_KEY: "c0ffee",
  LOG_LEVEL: "loud",
  HTTP_PORT: "99999999",
  STYLE_API_BASE_URL: "http://style.example",
  VIDEO_GUILDS: "",
};

it.skipIf(postgres.missing !== undefined)(
  "a year of wrong settings, an upgrade, an erasure, a restore, moves and a new key repeats no slot",
  { timeout: 600_000 },
  async () => {
    await using folder = await mkdtempDisposable(join(MEMORY_FOLDER, "signalbox-year-"));
    await using server = await postgres.createWithoutTables();
    await using world = await openCheckedWorld({ bot: "none" });
    const { clock } = world;
    const { trains, staff, general } = world.channels;
    const [grace, ada, mary] = [world.member("Grace"), world.member("Ada"), world.member("Mary")];
    const posts = watchBoardPosts(world);
    const embedded = `sqlite:${join(folder.path, "bot.db")}`;
    const backups = { folder: join(folder.path, "backups"), days: 14 };
    const log = createLog({ level: "silent", secrets: [] });
    const env: Record<string, string> = {
      ...world.env,
      DATABASE_URL: embedded,
      BACKUP_FOLDER: backups.folder,
      BACKUP_DAYS: "14",
    };

    /** Runs a bot while `act` runs. */
    async function run(act: (bot: BotControl) => Promise<void>): Promise<void> {
      const bot = createBotControl("inside", { env: { ...env }, clock });
      await bot.start();
      try {
        await act(bot);
      } finally {
        await bot.stop();
      }
    }

    async function pass(bot: BotControl, durationMs: number, stepMs = MINUTE_MS): Promise<void> {
      for (const endMs = clock.now() + durationMs; clock.now() < endMs;) {
        await clock.advance(stepMs);
        await bot.tick();
      }
    }

    // January: nine mistakes. The start reports all of them, and its exit code says that a restart is useless.
    const problems = Object.keys(WRONG_SETTINGS).map((name) => `(?=(?:[^]*\\n)?${name} )`);
    const started = startProgram({ ...env, ...WRONG_SETTINGS });
    await expect(started).rejects.toThrow(new RegExp(`^the program ended with 78: ${problems.join("")}`));

    // February: the upgrade, which makes a backup.
    const early = new DatabaseSync(join(folder.path, "bot.db"));
    early.exec(await readFile(EARLY_DATABASE, "utf8"));
    early.close();
    await clock.advance(20 * MINUTE_MS);
    await run(async (bot) => {
      expect(await readdir(backups.folder)).toHaveLength(1);
      expect((await grace.slash(staff, "board list")).text).toMatch(/Boards \(2\)/);
      expect((await grace.slash(staff, "video account show")).text).toContain("Garden Railway");
      expect((await mary.slash(trains, "watch list")).text).toContain("York → Leeds");
      await pass(bot, 11 * MINUTE_MS);
      expect(posts.ever).not.toEqual([]);
    });

    // Each day adds a backup; in the end, the one from before the upgrade is removed.
    await run((bot) => pass(bot, 16 * DAY_MS, DAY_MS));
    const daily = await readdir(backups.folder);
    expect(daily).toHaveLength(15);
    expect(daily.every((name) => /^signalbox-2026-1\d-\d\dT/.test(name))).toBe(true);

    // March: a backup, and a mistake after it. Meanwhile Mary has her data erased, which the backup does not know.
    const { file } = await writeBackup(
      { url: embedded, clock, log },
      nameBackup(backups.folder, clock.now()),
    );
    await run(async (bot) => {
      await pass(bot, 21 * MINUTE_MS);
      const asked = await mary.slash(general, "privacy erase");
      expect((await mary.click(asked.message, "Erase everything")).text).toMatch(/^Done\./);
      for (const { boardId } of new Map(posts.ever.map((post) => [post.boardId, post])).values()) {
        const card = await openBoardCard(world, boardId);
        const { message } = await grace.click(card, "Remove…");
        await grace.click(message, "Remove");
      }
      await pass(bot, 61 * MINUTE_MS);
    });
    const kept = await restore(file, {
      url: embedded,
      backups,
      budgets: { ...readStorage({}).budgets, transport: { calls: 1_000, windowMs: 3_600_000 } },
      clock,
      log,
    });
    expect(kept[0]).toMatch(/^Restored into /);
    const sent = posts.ever.length;
    await run(async (bot) => {
      await bot.tick();
      expect(posts.ever).toHaveLength(sent);
      expect((await grace.slash(staff, "board list")).text).toMatch(/Boards \(2\)/);
      expect((await mary.slash(trains, "watch list")).text).toMatch(/not watching anything/);
      expect((await ada.slash(trains, "watch list")).text).toContain("Leeds → York");
      await pass(bot, 21 * MINUTE_MS);
    });

    // April: the move to PostgreSQL. No bot starts on the old file any more.
    const moved = await move(server.url, { url: embedded, backups, clock, log });
    expect(moved.join(" ")).toMatch(/^Moved and compared: /);
    await expect(run(async () => undefined)).rejects.toThrow(/moved/);
    env["DATABASE_URL"] = server.url;
    await run(async (bot) => {
      expect((await grace.slash(staff, "board list")).text).toMatch(/Boards \(2\)/);
      await pass(bot, 21 * MINUTE_MS);
    });

    // May: a new key; soon afterwards, the old one is removed.
    env["SECRET_KEY_OLD"] = env["SECRET_KEY"] ?? "";
    env["SECRET_KEY"] = randomBytes(32).toString("base64");
    await run(async () => undefined);
    delete env["SECRET_KEY_OLD"];
    await run(async () => {
      const shown = await grace.slash(staff, "video account show");
      expect(shown.text).toContain("Garden Railway");
      expect(shown.text).not.toMatch(/no longer/);
    });

    // June: the move back to a file.
    const again = `sqlite:${join(folder.path, "again.db")}`;
    await move(again, { url: server.url, backups, clock, log });
    env["DATABASE_URL"] = again;
    await run(async (bot) => {
      expect((await grace.slash(staff, "board list")).text).toMatch(/Boards \(2\)/);
      await pass(bot, 21 * MINUTE_MS);
    });

    // Winter: the server removes the bot, and a week later its data is erased.
    await run(async (bot) => {
      world.discord.removeGuild(world.guild);
      await pass(bot, 8 * DAY_MS, 6 * 60 * MINUTE_MS);
    });
    const left = new DatabaseSync(join(folder.path, "again.db"));
    const rowsOf = (table: string) => left.prepare(`select * from "${table}"`).all();
    for (const table of ["boards", "videoAccounts", "publications", "videoSettings"]) {
      expect([table, rowsOf(table)]).toEqual([table, []]);
    }
    // A watch for a person belongs to that person, not to the server.
    expect(rowsOf("watches")).toMatchObject([{ ownerId: ada.id }]);
    left.close();

    // In the whole year, each slot was posted at most once.
    const slots = posts.ever.map(({ boardId, slotMs }) => `${boardId} ${slotMs}`);
    expect(slots.toSorted()).toEqual([...new Set(slots)].toSorted());
  },
);
