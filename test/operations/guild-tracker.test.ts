import { describe, expect, it, onTestFinished } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { KEEP_LEFT_GUILD_MS, createGuildTracker } from "../../src/operations/guild-tracker.ts";
import type { GuildPublications } from "../../src/core/ports.ts";
import { openMemoryDatabase } from "../open.ts";
import { boardRecord } from "../boards/board-record.ts";
import { watchRecord } from "../watches/watch-record.ts";
import { videoAccountRecord } from "../videos/video-rows.ts";
import { createStillClock } from "../support/still-clock.ts";

async function open(publications?: GuildPublications) {
  const clock = createStillClock();
  const log = createLog({ level: "silent", secrets: [] });
  const database = await openMemoryDatabase({ clock, log });
  onTestFinished(() => database.close());
  const erased: string[] = [];
  const tracker = createGuildTracker({
    database: {
      ...database,
      async eraseGuild(guildId) {
        erased.push(guildId);
        await database.eraseGuild(guildId);
      },
    },
    publications: () => publications,
    clock,
    log,
  });
  return { clock, tracker, erased, database };
}

const all = () => true;
/** For tests in which few servers are missing at once, so that Discord is not asked. */
const noMembership = () => Promise.reject(new Error("Discord must not be asked"));
/** A signal that never aborts. */
const running = new AbortController().signal;

/** Publications that do nothing. */
const noPublications: GuildPublications = {
  left: async () => undefined,
  returned: async () => undefined,
  erasing: async () => true,
};

it("a server's data is erased once, seven days after the bot left it", async () => {
  const { clock, tracker, erased } = await open();
  await tracker.left("1");
  clock.advance(KEEP_LEFT_GUILD_MS - 1);
  await tracker.eraseDue(all, running);
  expect(erased).toEqual([]);
  clock.advance(1);
  await tracker.eraseDue(all, running);
  await tracker.eraseDue(all, running);
  expect(erased).toEqual(["1"]);
});

it("a server's last use is recorded once an hour, and erased with its data", async () => {
  const { clock, tracker, database } = await open();
  const startMs = clock.now();
  const lastUse = async () =>
    [...(await database.guildRecords.lastUses()).values()].map((atMs) => atMs - startMs);
  for (const afterMs of [0, 3_599_999, 1]) {
    clock.advance(afterMs);
    tracker.used("1");
  }
  await expect.poll(lastUse).toEqual([3_600_000]);
  clock.advance(10);
  tracker.used("1");
  await database.ping();
  expect(await lastUse()).toEqual([3_600_000]);
  await database.eraseGuild("1");
  expect(await lastUse()).toEqual([]);
});

it("a failed erasure does not stop the others, and is retried the next time", async () => {
  const { clock, tracker, erased, database } = await open();
  for (const guildId of ["1", "2", "3"]) {
    await tracker.left(guildId);
  }
  clock.advance(KEEP_LEFT_GUILD_MS);
  let fails = true;
  const log = createLog({ level: "silent", secrets: [] });
  const failing = createGuildTracker({
    database: {
      ...database,
      async eraseGuild(guildId) {
        if (guildId === "1" && fails) {
          throw new Error("the database is away");
        }
        erased.push(guildId);
        await database.eraseGuild(guildId);
      },
    },
    publications: () => undefined,
    clock,
    log,
  });
  await failing.eraseDue(all, running);
  expect(erased).toEqual(["2", "3"]);
  fails = false;
  await failing.eraseDue(all, running);
  expect(erased).toEqual(["2", "3", "1"]);
});

it("a server's data is not erased early if the clock is set ahead", async () => {
  const { clock, tracker, erased } = await open();
  await tracker.left("1");
  clock.jump(10 * 24 * 3_600_000);
  await tracker.eraseDue(all, running);
  clock.advance(KEEP_LEFT_GUILD_MS - 1);
  await tracker.eraseDue(all, running);
  expect(erased).toEqual([]);
  clock.advance(1);
  await tracker.eraseDue(all, running);
  expect(erased).toEqual(["1"]);
});

it("a server that comes back is not erased, and its seven days start again when the bot leaves again", async () => {
  const { clock, tracker, erased } = await open();
  await tracker.left("1");
  clock.advance(KEEP_LEFT_GUILD_MS);
  await tracker.present(["2", "1"]);
  await tracker.eraseDue(all, running);
  expect(erased).toEqual([]);
  await tracker.left("1");
  await tracker.eraseDue(all, running);
  expect(erased).toEqual([]);
});

it("a process does not erase servers of other processes' shards", async () => {
  const { clock, tracker, erased } = await open();
  await tracker.left("1");
  await tracker.left("2");
  clock.advance(KEEP_LEFT_GUILD_MS);
  await tracker.eraseDue((guildId) => guildId === "2", running);
  expect(erased).toEqual(["2"]);
});

it("servers that the bot left while it was not running are noticed, among those of a shard", async () => {
  const { clock, tracker, erased, database } = await open();
  for (const guildId of ["1", "2", "3"]) {
    await database.boards.add(boardRecord({ id: `board${guildId}`, guildId, nextSlotMs: 0 }));
  }
  const due = async () => (await database.boards.due(clock.now())).map(({ guildId }) => guildId);
  await tracker.presentOnly(["2", "4"], (guildId) => guildId !== "3", noMembership);
  expect(await due()).toEqual(["2", "3"]);
  clock.advance(KEEP_LEFT_GUILD_MS - 1);
  await tracker.presentOnly(["2", "4"], (guildId) => guildId !== "3", noMembership);
  clock.advance(1);
  await tracker.eraseDue(all, running);
  expect(erased).toEqual(["1"]);
  expect((await database.guildIds()).toSorted()).toEqual(["2", "3"]);
});

it("a server that is only known from a person's own watch was never left", async () => {
  const { tracker, database } = await open();
  await database.watches.add(watchRecord({ askedGuildId: "9" }));
  await tracker.presentOnly([], all, noMembership);
  expect(await database.leftGuilds.among(["9"])).toEqual([]);
});

it("a server's boards continue if it comes back in time", async () => {
  const { clock, tracker, erased, database } = await open();
  const board = boardRecord({ nextSlotMs: 0 });
  await database.boards.add(board);
  await tracker.presentOnly([], all, noMembership);
  expect(await database.boards.due(clock.now())).toEqual([]);
  clock.advance(KEEP_LEFT_GUILD_MS);
  await tracker.presentOnly(["1"], all, noMembership);
  await tracker.eraseDue(all, running);
  expect(erased).toEqual([]);
  expect(await database.boards.due(clock.now())).toEqual([board]);
});

it("a server's video account is unusable after the bot leaves, usable if the server comes back, and erased after 7 days", async () => {
  const { clock, tracker, database } = await open();
  const { videoAccounts } = database;
  for (const guildId of ["1", "2", "3"]) {
    await videoAccounts.put(videoAccountRecord({ guildId }));
  }
  const usable = async () => {
    const found = await Promise.all(["1", "2", "3"].map((guildId) => videoAccounts.get(guildId)));
    expect((await videoAccounts.checkedBefore(Infinity, 9)).map(({ guildId }) => guildId)).toEqual(
      found.flatMap((account) => account?.guildId ?? []),
    );
    return found.map((account) => account !== undefined);
  };
  await tracker.left("1");
  expect(await usable()).toEqual([false, true, true]);
  await tracker.presentOnly(["3"], all, noMembership);
  expect(await usable()).toEqual([false, false, true]);
  await tracker.present(["1"]);
  expect(await usable()).toEqual([true, false, true]);
  clock.advance(KEEP_LEFT_GUILD_MS);
  await tracker.eraseDue(all, running);
  await tracker.present(["2"]);
  expect(await usable()).toEqual([true, false, true]);
});

it("a video account that is linked after the bot has left is unusable", async () => {
  const { tracker, database } = await open();
  await tracker.left("1");
  await database.videoAccounts.put(videoAccountRecord());
  expect(await database.videoAccounts.get("1")).toBeUndefined();
});

it("publications are told when the bot leaves a server, when it returns, and before the server's data is erased", async () => {
  const told: string[] = [];
  let isServiceThere = false;
  const { tracker, clock, erased, database } = await open({
    left: async (guildId) => void told.push(`left ${guildId}`),
    async returned(guildIds) {
      // The server still counts as left, so a process that dies here is told again.
      expect(await database.leftGuilds.among(guildIds)).toEqual(["1"]);
      told.push(`returned ${guildIds.join(" and ")}`);
    },
    async erasing(guildId) {
      told.push(`erasing ${guildId}`);
      return isServiceThere;
    },
  });
  await tracker.left("1");
  await tracker.present(["1", "2"]);
  await tracker.left("1");
  await tracker.left("3");
  clock.advance(KEEP_LEFT_GUILD_MS);
  await tracker.eraseDue((guildId) => guildId === "1", running);
  expect(erased).toEqual([]);
  isServiceThere = true;
  await tracker.eraseDue((guildId) => guildId === "1", running);
  expect(erased).toEqual(["1"]);
  expect(told).toEqual(["left 1", "returned 1 and 2", "left 1", "left 3", "erasing 1", "erasing 1"]);
  // The erasure does not wait for the service for ever.
  isServiceThere = false;
  clock.advance(4 * 24 * 3_600_000);
  await tracker.eraseDue(all, running);
  expect(erased).toEqual(["1", "3"]);
});

it("servers that leave and return are recorded even if their publications cannot be told", async () => {
  const failing = () => Promise.reject(new Error("the database is away"));
  const { tracker, clock, erased, database } = await open({
    left: failing,
    returned: failing,
    erasing: async () => true,
  });
  await tracker.left("1");
  await tracker.left("2");
  expect(await database.leftGuilds.among(["1", "2"])).toEqual(["1", "2"]);
  await tracker.present(["1"]);
  clock.advance(KEEP_LEFT_GUILD_MS);
  await tracker.eraseDue(all, running);
  expect(erased).toEqual(["2"]);
});

it("publications are told which servers are present, whether or not those had left", async () => {
  const told: (readonly string[])[] = [];
  const { tracker } = await open({
    ...noPublications,
    returned: async (guildIds) => void told.push(guildIds),
  });
  await tracker.presentOnly(["1", "2"], all, noMembership);
  expect(told).toEqual([["1", "2"]]);
});

it("a server that returns during an erasure is not erased", async () => {
  const isThere = new Set<string>();
  const asked: string[] = [];
  const { tracker, clock, erased, database } = await open({
    ...noPublications,
    async erasing(guildId, isStillDue) {
      asked.push(guildId);
      expect(await isStillDue()).toBe(true);
      // The first one returns before the tracker knows, and the second one returns and leaves again.
      isThere.add("1");
      await tracker.present(["2"]);
      await tracker.left("2");
      expect(await isStillDue()).toBe(false);
      return true;
    },
  });
  for (const guildId of ["1", "2", "3"]) {
    await tracker.left(guildId);
    clock.advance(1);
  }
  clock.advance(KEEP_LEFT_GUILD_MS);
  await database.leftGuilds.remove(["3"]);
  await tracker.eraseDue((guildId) => !isThere.has(guildId), running);
  expect(asked).toEqual(["1"]);
  expect(erased).toEqual([]);
});

it("an erasure does not wait for the service after its signal aborts", async () => {
  const stopping = new AbortController();
  const { tracker, clock, erased } = await open({
    ...noPublications,
    erasing: () => {
      queueMicrotask(() => stopping.abort());
      return new Promise(() => undefined);
    },
  });
  await tracker.left("1");
  clock.advance(KEEP_LEFT_GUILD_MS);
  await expect(tracker.eraseDue(all, stopping.signal)).rejects.toThrow("aborted");
  expect(erased).toEqual([]);
});

describe("many servers that are missing at once", () => {
  const KNOWN = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16"];

  async function openKnown() {
    const opened = await open();
    for (const guildId of KNOWN) {
      await opened.database.boards.add(boardRecord({ id: `board${guildId}`, guildId }));
    }
    return { ...opened, gone: () => opened.database.leftGuilds.among(KNOWN) };
  }

  it.each([
    ["all but one", 15],
    ["just more than a quarter", 5],
  ])("have left only if Discord says so: %s", async (_how, count) => {
    const { tracker, gone } = await openKnown();
    const stillThere = new Set(["1", "2"]);
    await tracker.presentOnly(KNOWN.slice(count), all, async () => (guildId) => stillThere.has(guildId));
    expect((await gone()).toSorted()).toEqual(KNOWN.slice(2, count).toSorted());
  });

  it("have not left if Discord does not answer", async () => {
    const { tracker, gone } = await openKnown();
    await expect(tracker.presentOnly([], all, noMembership)).rejects.toThrow("Discord must not be asked");
    expect(await gone()).toEqual([]);
  });

  it("have left without asking Discord if they are at most a quarter, or three", async () => {
    const { tracker, gone, database } = await openKnown();
    await tracker.presentOnly(KNOWN.slice(4), all, noMembership);
    expect(await gone()).toHaveLength(4);
    await database.leftGuilds.remove(KNOWN);
    await tracker.presentOnly([], (guildId) => ["1", "2", "3"].includes(guildId), noMembership);
    expect(await gone()).toHaveLength(3);
  });
});
