import { expect, it, onTestFinished } from "vitest";
import { createLog } from "../../../src/core/log.ts";
import { KEEP_LEFT_GUILD_MS, createGuildWatch } from "../../../src/services/guilds/guild-watch.ts";
import { openDatabase } from "../../../src/storage/database.ts";
import { boardRecord } from "../../storage/board-record.ts";
import { videoAccountRecord } from "../../storage/video-rows.ts";
import { createStillClock } from "../../support/still-clock.ts";

async function open() {
  const clock = createStillClock();
  const log = createLog({ level: "silent", secrets: [] });
  const database = await openDatabase({ url: "sqlite::memory:", clock, log });
  onTestFinished(() => database.close());
  const erased: string[] = [];
  const watch = createGuildWatch({
    database: {
      ...database,
      async eraseGuild(guildId) {
        erased.push(guildId);
        await database.eraseGuild(guildId);
      },
    },
    clock,
    log,
  });
  return { clock, watch, erased, database };
}

const all = () => true;

it("erases a server seven days after it left, once", async () => {
  const { clock, watch, erased } = await open();
  await watch.left("1");
  clock.advance(KEEP_LEFT_GUILD_MS - 1);
  await watch.eraseDue(all);
  expect(erased).toEqual([]);
  clock.advance(1);
  await watch.eraseDue(all);
  await watch.eraseDue(all);
  expect(erased).toEqual(["1"]);
});

it("spares a server that came back, and starts anew when it leaves again", async () => {
  const { clock, watch, erased } = await open();
  await watch.left("1");
  clock.advance(KEEP_LEFT_GUILD_MS);
  await watch.present(["2", "1"]);
  await watch.eraseDue(all);
  expect(erased).toEqual([]);
  await watch.left("1");
  await watch.eraseDue(all);
  expect(erased).toEqual([]);
});

it("leaves servers of other processes' shards to those", async () => {
  const { clock, watch, erased } = await open();
  await watch.left("1");
  await watch.left("2");
  clock.advance(KEEP_LEFT_GUILD_MS);
  await watch.eraseDue((guildId) => guildId === "2");
  expect(erased).toEqual(["2"]);
});

it("knows of servers that left while nobody listened, among those of a shard", async () => {
  const { clock, watch, erased, database } = await open();
  for (const guildId of ["1", "2", "3"]) {
    await database.boards.add(boardRecord({ id: `board${guildId}`, guildId, nextSlotMs: 0 }));
  }
  const due = async () => (await database.boards.due(clock.now())).map(({ guildId }) => guildId);
  await watch.presentOnly(["2", "4"], (guildId) => guildId !== "3");
  expect(await due()).toEqual(["2", "3"]);
  clock.advance(KEEP_LEFT_GUILD_MS - 1);
  await watch.presentOnly(["2", "4"], (guildId) => guildId !== "3");
  clock.advance(1);
  await watch.eraseDue(all);
  expect(erased).toEqual(["1"]);
  expect((await database.guildIds()).toSorted()).toEqual(["2", "3"]);
});

it("lets a server's boards go on when it is back in time", async () => {
  const { clock, watch, erased, database } = await open();
  const board = boardRecord({ nextSlotMs: 0 });
  await database.boards.add(board);
  await watch.presentOnly([], all);
  expect(await database.boards.due(clock.now())).toEqual([]);
  clock.advance(KEEP_LEFT_GUILD_MS);
  await watch.presentOnly(["1"], all);
  await watch.eraseDue(all);
  expect(erased).toEqual([]);
  expect(await database.boards.due(clock.now())).toEqual([board]);
});

it("erases the video account of a server at once, the rest later", async () => {
  const { watch, erased, database } = await open();
  const { videoAccounts, videoRecords } = database;
  for (const guildId of ["1", "2", "3"]) {
    await videoAccounts.put(videoAccountRecord({ guildId }));
    await videoRecords.putSettings({ guildId, settings: "{}" });
  }
  await watch.left("1");
  expect(await videoAccounts.get("1")).toBeUndefined();
  await watch.presentOnly(["3"], all);
  expect(await videoAccounts.get("2")).toBeUndefined();
  expect(await videoAccounts.get("3")).toBeDefined();
  await watch.eraseDue(all);
  expect(erased).toEqual([]);
  await watch.present(["1"]);
  expect(await videoRecords.settings("1")).toBe("{}");
});

it("erases a video account that was linked while its server left", async () => {
  const { watch, database } = await open();
  await watch.left("1");
  await database.videoAccounts.put(videoAccountRecord());
  await watch.presentOnly([], all);
  expect(await database.videoAccounts.get("1")).toBeUndefined();
});
