import { expect, it } from "vitest";
import { createLog } from "../../src/core/log.ts";
import type { BoardSettings } from "../../src/boards/boards.ts";
import { createDeletionHandler } from "../../src/boards/kept-message.ts";
import { MINUTE_MS, SETTINGS, START_MS, boardWorld } from "../support/board-world.ts";

const log = createLog({ level: "silent", secrets: [] });

/** A world with a board that has posted its first message and has nothing new to show. */
async function openPostedBoard(mode: BoardSettings["mode"] = "edit", changed: Partial<BoardSettings> = {}) {
  const world = await boardWorld();
  const { clock, discord, database } = world;
  await world.add("one", { changed: { mode, ...changed }, nextSlotMs: START_MS });
  const life = world.begin();
  await life.tick();
  const handleDeletion = createDeletionHandler({ table: database.boards, clock, log });
  const deleted = (messageIds: readonly string[] | "all", channelId = "c-one") =>
    handleDeletion({ guildId: "g1", channelId, messageIds });
  const countMessages = () => world.sent("one").filter(({ isDeleted }) => !isDeleted).length;
  /** Deletes a message as a moderator does. */
  async function moderate(messageId = "1"): Promise<void> {
    await discord.messenger().delete({ channelId: "c-one", messageId });
    await deleted([messageId]);
  }
  return { ...world, life, deleted, moderate, countMessages };
}

it.each(["edit", "replace"] as const)("posts a deleted message again within a minute (%s)", async (mode) => {
  const { life, clock, moderate, countMessages, read, sent } = await openPostedBoard(mode);
  clock.advance(20_000);
  await moderate();
  clock.advance(40_000);
  await life.tick();
  expect(countMessages()).toBe(1);
  expect(await read("one")).toMatchObject({
    messageId: "2",
    nextSlotMs: START_MS + 5 * MINUTE_MS,
    missed: 0,
  });
  clock.advance(4 * MINUTE_MS);
  await life.tick();
  expect(sent("one")).toHaveLength(2);
});

it("posts a message again each time it is deleted, alone or together with others", async () => {
  const { life, clock, moderate, deleted, countMessages, discord } = await openPostedBoard();
  for (const messageId of ["1", "2", "3"]) {
    clock.advance(10_000);
    await (messageId === "2"
      ? moderate(messageId)
      : discord.messenger().delete({ channelId: "c-one", messageId }));
    await deleted(["77", messageId, "78"]);
    clock.advance(MINUTE_MS);
    await life.tick();
    expect(countMessages()).toBe(1);
  }
});

it("ignores the deletion of a board's separate posts, of other messages, and of a paused board's message", async () => {
  const post = await openPostedBoard("post");
  await post.moderate();
  const others = await openPostedBoard();
  await others.deleted(["99"]);
  await others.deleted(["1"], "c-two");
  const paused = await openPostedBoard();
  await paused.database.boards.changeState("one", ["active"], { state: "paused", nextSlotMs: undefined });
  await paused.moderate();
  for (const { clock, life, sent } of [post, others, paused]) {
    clock.advance(2 * MINUTE_MS);
    await life.tick();
    expect(sent("one")).toHaveLength(1);
  }
});

it("waits for the next slot if a board comes at fixed times or its hours are over", async () => {
  const times = { ...SETTINGS.schedule, timing: { at: ["17:20", "17:40"] } } as const;
  const hours = { ...SETTINGS.schedule, hours: { from: "17:00", to: "17:20" } } as const;
  for (const schedule of [times, hours]) {
    const { life, clock, moderate, countMessages, read } = await openPostedBoard("edit", { schedule });
    clock.advance(6 * MINUTE_MS);
    await moderate();
    const { nextSlotMs = 0 } = await read("one");
    expect(nextSlotMs).toBeGreaterThanOrEqual(START_MS + 20 * MINUTE_MS);
    clock.advance(nextSlotMs - clock.now());
    await life.tick();
    expect(countMessages()).toBe(1);
  }
});

it("ignores the deletion of a message that the board itself has replaced", async () => {
  const { begin, clock, data, discord, deleted, read } = await openPostedBoard("replace");
  discord.replace((real) => ({
    async delete(message) {
      await real.delete(message);
      // The gateway reports the deletion before the outcome is recorded.
      await deleted([message.messageId]);
    },
  }));
  data.version = 1;
  clock.advance(5 * MINUTE_MS);
  await begin().tick();
  await deleted(["1"]);
  expect(await read("one")).toMatchObject({ messageId: "2", nextSlotMs: START_MS + 10 * MINUTE_MS });
});

it("keeps the message that has meanwhile replaced the deleted one", async () => {
  const { database, clock, read } = await openPostedBoard();
  const { boards: table } = database;
  const handleDeletion = createDeletionHandler({
    table: {
      ...table,
      async inChannel(guildId, channelId) {
        const seen = await table.inChannel(guildId, channelId);
        // Meanwhile, the board notices the deletion itself and posts a new message.
        await table.change("one", { messageId: "2" });
        return seen;
      },
    },
    clock,
    log,
  });
  const before = await read("one");
  await handleDeletion({ guildId: "g1", channelId: "c-one", messageIds: ["1"] });
  expect(await read("one")).toEqual({ ...before, messageId: "2" });
});

it("pauses the boards of a deleted channel within a minute, and tells their subscriber", async () => {
  const times = { ...SETTINGS.schedule, timing: { at: ["17:20"] } } as const;
  const { life, clock, discord, deleted, read } = await openPostedBoard("edit", { schedule: times });
  discord.gone.add("c-one");
  await deleted("all");
  clock.advance(MINUTE_MS);
  await life.tick();
  expect(await read("one")).toMatchObject({ state: "paused", pausedBecause: "channel-gone" });
  expect(discord.calls.at(-1)).toBe("dm u1");
});

it("queries the database once a minute, however much is deleted in channels without boards", async () => {
  const { database, clock } = await openPostedBoard();
  let queries = 0;
  const table = {
    ...database.boards,
    inChannel(...asked: Parameters<typeof database.boards.inChannel>) {
      queries += 1;
      return database.boards.inChannel(...asked);
    },
    activeChannels() {
      queries += 1;
      return database.boards.activeChannels();
    },
  };
  const handleDeletion = createDeletionHandler({ table, clock, log });
  const chatter = (index: number) =>
    handleDeletion({ guildId: "g1", channelId: `c${index}`, messageIds: ["1"] });
  for (let seconds = 0; seconds < 120; seconds += 1) {
    await Promise.all(Array.from({ length: 10 }, (_, index) => chatter(index)));
    clock.advance(1_000);
  }
  expect(queries).toBe(2);
});

it("queries again after the database was unavailable", async () => {
  const { database, clock, read } = await openPostedBoard();
  let isAway = true;
  const table = {
    ...database.boards,
    async activeChannels() {
      if (isAway) {
        throw new Error("the database is unavailable");
      }
      return database.boards.activeChannels();
    },
  };
  const handleDeletion = createDeletionHandler({ table, clock, log });
  const deletion = { guildId: "g1", channelId: "c-one", messageIds: ["1"] };
  await handleDeletion(deletion);
  expect(await read("one")).toMatchObject({ messageId: "1" });
  isAway = false;
  await handleDeletion(deletion);
  expect(await read("one")).toMatchObject({ messageId: undefined });
});
