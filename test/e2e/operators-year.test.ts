// A year of somebody who runs the bot, on a simulated clock: set up wrong, upgraded from an old version, backed up day by
// day, restored, moved to PostgreSQL, with another key, with a member who has their data erased, and moved back.
import { mkdtempDisposable, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startApp } from "../../src/app.ts";
import { type Environment, readConfig } from "../../src/core/config.ts";
import { ConfigError } from "../../src/core/errors.ts";
import { createLog } from "../../src/core/log.ts";
import { type Database, openDatabase } from "../../src/database.ts";
import { move, restore } from "../../src/restoring.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { MIGRATIONS } from "../../src/storage/migrations.ts";
import { withEngine } from "../../src/storage/open-engine.ts";
import { toRow } from "../../src/storage/row.ts";
import { boardRecord } from "../boards/board-record.ts";
import { watchBoardPosts } from "../support/board-posts.ts";
import { findPostgres } from "../support/databases.ts";
import { openJudgedWorld, reportJudgement } from "../support/judged-world.ts";
import { MEMORY_FOLDER } from "../support/memory-folder.ts";
import { boardSettings } from "../support/subscriptions.ts";

reportJudgement();

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const log = createLog({ level: "silent", secrets: [] });
const postgres = await findPostgres();

/** Each with the variable that the operator is told of. */
const MISTAKES: readonly (readonly [string, Environment])[] = [
  ["DISCORD_TOKEN", { DISCORD_TOKEN: "" }],
  ["DISCORD_TOKEN", { DISCORD_TOKEN: "two words" }],
  ["DATABASE_URL", { DATABASE_URL: "mysql://db" }],
  ["BACKUP_DAYS", { BACKUP_DAYS: "two weeks" }],
  ["TRANSPORT_BUDGET", { TRANSPORT_BUDGET: "lots" }],
  ["TRANSPORT_APP_ID", { TRANSPORT_APP_ID: "" }],
  ["VIDEO_GUILDS", { VIDEO_GUILDS: "" }],
  ["SECRET_KEY", { SECRET_KEY: "short" }],
  ["TIME_ZONE", { TIME_ZONE: "Europe/Yorkk" }],
  ["HTTP_PORT", { HTTP_PORT: "70000" }],
];

it.skipIf(postgres.missing !== undefined)(
  "loses nothing, doubles nothing and forgets what it must",
  async () => {
    await using folder = await mkdtempDisposable(join(MEMORY_FOLDER, "signalbox-year-"));
    await using server = await postgres.createBare();
    await using world = await openJudgedWorld({ bot: "none" });
    const { clock, channels } = world;
    const [grace, mary] = [world.member("Grace"), world.member("Mary")];
    const first = `sqlite:${join(folder.path, "first.db")}`;
    const env = {
      ...world.env,
      DATABASE_URL: first,
      BACKUP_DAYS: "7",
      BACKUP_FOLDER: join(folder.path, "backups"),
      LOG_LEVEL: "silent",
    };
    const optionsOf = (set: Environment) => {
      const { databaseUrl: url, backups } = readConfig(set);
      return {
        url,
        backups,
        clock,
        log,
        databaseNow: () => clock.now(),
        budgets: { transport: undefined, style: undefined },
      };
    };
    const run = async (set: Environment, work: () => Promise<void>): Promise<void> => {
      const app = await startApp({ config: readConfig(set), clock, log, databaseNow: () => clock.now() });
      tick = () => app.tick();
      await work();
      await app.stop();
    };
    let tick = async (): Promise<void> => undefined;
    const live = async (minutes: number): Promise<void> => {
      for (let minute = 0; minute < minutes; minute += 1) {
        await clock.advance(MINUTE_MS);
        await tick();
      }
    };
    const look = async <T>(set: Environment, work: (database: Database) => Promise<T>): Promise<T> => {
      const database = await openDatabase(optionsOf(set));
      const seen = await work(database);
      await database.close();
      return seen;
    };
    const posts = watchBoardPosts(world);
    const backups = () => readdir(env.BACKUP_FOLDER);

    for (const [name, mistake] of MISTAKES) {
      expect(() => readConfig({ ...env, ...mistake })).toThrow(ConfigError);
      expect(() => readConfig({ ...env, ...mistake })).toThrow(new RegExp(`^${name} `, "m"));
    }

    // The database of commit 2fb9c4e had six migrations.
    await withEngine({ ...optionsOf(env), exclusive: true }, async (engine) => {
      await migrate(engine, { clock, log }, MIGRATIONS.slice(0, 6));
      const settings = boardSettings({ mode: "post", look: "text", callingAt: [] });
      const board = boardRecord({
        guildId: world.guild.id,
        channelId: channels.trains.id,
        createdBy: mary.id,
      });
      const nextSlotMs = clock.now() + 10 * MINUTE_MS;
      const { history: _later, ...row } = toRow({ ...board, settings: JSON.stringify(settings), nextSlotMs });
      await engine.queries.insertInto("boards").values(row).execute();
    });
    await run(env, async () => {
      expect(await backups()).toEqual([`signalbox-before-version-${MIGRATIONS.length}.db`]);
      const form = await grace.slash(channels.staff, "video account link");
      await grace.submit(form, { "The Page's access token": world.video.tokens.secondPage });
      await live(11);
      expect(posts.ever).toHaveLength(1);
      for (let day = 0; day < 9; day += 1) {
        await clock.advance(DAY_MS);
        await tick();
      }
    });
    // The one from before the upgrade is too old by now.
    const kept = await backups();
    expect(kept).toHaveLength(8);
    expect(kept.every((name) => /^signalbox-2026-11-2\d/.test(name))).toBe(true);

    await run(env, () => live(11));
    const sent = posts.ever.length;
    await restore(join(env.BACKUP_FOLDER, kept.at(-1) ?? ""), optionsOf(env));
    await run(env, async () => {
      await tick();
      expect(posts.ever).toHaveLength(sent);
      await live(11);
      expect(posts.ever).toHaveLength(sent + 1);
    });

    const moved = { ...env, DATABASE_URL: server.url };
    await move(server.url, optionsOf(env));
    await expect(startApp({ config: readConfig(env), clock, log })).rejects.toThrow(
      /was moved to another one/,
    );
    const key = Buffer.alloc(32, 7).toString("base64");
    const rotated = { ...moved, SECRET_KEY: key, SECRET_KEY_OLD: world.env["SECRET_KEY"] };
    await run(rotated, () => live(11));
    await run({ ...moved, SECRET_KEY: key }, async () => {
      const shown = await grace.slash(channels.staff, "video account show");
      expect(shown.text).toContain("publishes as Garden Railway");
      const question = await mary.slash(channels.general, "privacy erase");
      await mary.click(question.message, "Erase everything");
    });
    expect(posts.ever).toHaveLength(sent + 2);

    const second = { ...moved, SECRET_KEY: key, DATABASE_URL: `sqlite:${join(folder.path, "second.db")}` };
    // A bot that was stopped has released what it had.
    await move(second.DATABASE_URL, optionsOf(moved));
    await run(second, () => live(11));
    expect(posts.ever).toHaveLength(sent + 3);
    expect(new Set(posts.ever.map(({ slotMs }) => slotMs)).size).toBe(posts.ever.length);
    const [board, account, erased] = await look(second, async (database) =>
      Promise.all([
        database.boards.get("board001"),
        database.videoAccounts.get(world.guild.id),
        database.exportUser(mary.id),
      ]),
    );
    expect(board).toMatchObject({ state: "active", createdBy: undefined });
    expect(account?.accountId).toBeDefined();
    expect(Object.keys(erased)).toEqual(["erasures"]);
  },
);
