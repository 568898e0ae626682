import { expect, it } from "vitest";
import type { BoardSettings } from "../../../src/boards/boards.ts";
import { MINUTE_MS, SETTINGS, START_MS, boardWorld, findMark, wordsOf } from "../../support/board-world.ts";

const SLOT_MS = START_MS + 5 * MINUTE_MS;
const CLAIM_MS = 30_000;

/** Opens a world with one board that is due. */
async function due(mode: BoardSettings["mode"] = "edit", changed: Partial<typeof SETTINGS> = {}) {
  const world = await boardWorld();
  await world.add("one", { changed: { ...changed, mode } });
  world.clock.advance(5 * MINUTE_MS);
  const begun = world.begin();
  const life = {
    ...begun,
    async tickAfter(waitMs: number): Promise<void> {
      world.clock.advance(waitMs);
      await begun.tick();
    },
    /** Ticks now and then every ten seconds for this long. */
    async tickFor(seconds: number): Promise<void> {
      for (let waited = 0; waited < seconds; waited += 10) {
        await begun.tick();
        world.clock.advance(10_000);
      }
    },
  };
  /** Advances to the next slot and ticks. */
  const next = () => life.tickAfter(5 * MINUTE_MS);
  const sent = () => world.sent("one");
  /** The texts of the messages, in order. */
  const shown = (which: typeof isRemaining = () => true) =>
    sent()
      .filter(which)
      .map(({ reply }) => wordsOf(reply));
  const remainingIds = () =>
    sent()
      .filter(isRemaining)
      .map(({ messageId }) => messageId);
  /** The slots of the messages, in order. */
  const slots = () => sent().map((each) => findMark(each)?.slotMs);
  const read = () => world.read("one");
  return { ...world, life, next, sent, shown, remainingIds, slots, read };
}

const isRemaining = ({ isDeleted }: { readonly isDeleted: boolean }) => !isDeleted;

it("edits its message only if something has changed", async () => {
  const { life, next, data, discord, sent, read } = await due("edit");
  await life.tick();
  await next();
  expect(discord.calls).toEqual(["post c-one"]);
  expect(await read()).toMatchObject({ lastSentMs: SLOT_MS, claimedSlotMs: undefined, missed: 0 });
  data.version = 1;
  await next();
  expect(discord.calls).toEqual(["post c-one", "edit c-one"]);
  const [message] = sent();
  expect(message && wordsOf(message.reply)).toBe("1");
  expect(message && findMark(message)?.slotMs).toBe(SLOT_MS);
  expect(await read()).toMatchObject({ shownHash: "1", lastSentMs: SLOT_MS + 10 * MINUTE_MS });
});

it("posts a new message if its own is gone", async () => {
  const { life, next, data, discord, sent, read } = await due("edit");
  await life.tick();
  await discord.messenger().delete({ channelId: "c-one", messageId: "1" });
  data.version = 1;
  await next();
  expect(sent()).toHaveLength(2);
  expect(await read()).toMatchObject({ messageId: "2", messageSlotMs: SLOT_MS + 5 * MINUTE_MS });
});

it("replaces its message only if something has changed", async () => {
  const { life, next, data, discord, shown, read } = await due("replace");
  await life.tick();
  await next();
  expect(discord.calls).toEqual(["post c-one"]);
  data.version = 1;
  await next();
  expect(discord.calls).toEqual(["post c-one", "post c-one", "delete c-one"]);
  expect(shown(isRemaining)).toEqual(["1"]);
  expect(await read()).toMatchObject({ messageId: "2" });
});

it("deletes the old message later if the process died after posting the new one", async () => {
  const { life, begin, clock, next, data, sent, remainingIds, read, discord } = await due("replace");
  await life.tick();
  data.version = 1;
  discord.failOnce("delete", "dies-before");
  await next();
  expect(sent().filter(isRemaining)).toHaveLength(2);
  clock.advance(CLAIM_MS);
  await begin().tick();
  expect(remainingIds()).toEqual(["2"]);
  expect(sent()).toHaveLength(2);
  expect(await read()).toMatchObject({ messageId: "2", claimedSlotMs: undefined, missed: 0 });
});

it("retries the deletion of the old message without posting again", async () => {
  const { life, next, data, sent, remainingIds, read, discord } = await due("replace");
  await life.tick();
  data.version = 1;
  discord.failOnce("delete", "unavailable");
  await next();
  await life.tickAfter(10_000);
  expect(remainingIds()).toEqual(["2"]);
  expect(sent()).toHaveLength(2);
  expect(await read()).toMatchObject({ messageId: "2", claimedSlotMs: undefined });
});

it("posts at every slot in mode “post”, even if nothing has changed", async () => {
  const { life, next, slots } = await due("post");
  await life.tick();
  await next();
  expect(slots()).toEqual([SLOT_MS, SLOT_MS + 5 * MINUTE_MS]);
});

it.each(["post", "replace"] as const)("waits for data before it posts (%s)", async (mode) => {
  const { life, data, discord, shown } = await due(mode);
  data.isThere = false;
  await life.tickFor(100);
  expect(discord.calls).toEqual([]);
  await life.tick();
  expect(shown()).toEqual(["no data"]);
});

it("posts as soon as data arrives", async () => {
  const { life, data, shown } = await due("post");
  data.isThere = false;
  await life.tick();
  data.isThere = true;
  await life.tickAfter(10_000);
  expect(shown()).toEqual(["0"]);
});

it("says at once in mode “edit” that there is no data yet", async () => {
  const { life, data, shown } = await due("edit");
  data.isThere = false;
  await life.tick();
  expect(shown()).toEqual(["no data"]);
});

it("leaves a message unchanged for two hours while there is no data", async () => {
  const { life, next, data, shown } = await due("edit");
  await life.tick();
  data.isThere = false;
  for (let slots = 0; slots < 23; slots += 1) {
    await next();
  }
  expect(shown()).toEqual(["0"]);
  await next();
  expect(shown()).toEqual(["no data"]);
});

it.each(["edit", "replace"] as const)(
  "does not replace newer data that another process has shown (%s)",
  async (mode) => {
    const { life, next, data, shown, read } = await due(mode);
    await life.tick();
    data.version += 1;
    data.ageMs = 6 * MINUTE_MS;
    await next();
    expect(shown()).toEqual(["0"]);
    expect(await read()).toMatchObject({ claimedSlotMs: undefined, missed: 0 });
    data.ageMs = 0;
    await next();
    expect(shown().at(-1)).toBe("1");
  },
);

it("does not post again if the answer was lost but the message is in the channel", async () => {
  const { life, discord, sent, read } = await due("post");
  discord.failOnce("post", "answer-lost");
  await life.tick();
  await life.tickAfter(10_000);
  expect(discord.calls).toEqual(["post c-one", "ownMessages c-one"]);
  expect(sent()).toHaveLength(1);
  expect(await read()).toMatchObject({
    messageId: "1",
    messageSlotMs: SLOT_MS,
    lastSentMs: SLOT_MS,
    claimedSlotMs: undefined,
    missed: 0,
  });
});

it("posts again with the same nonce if the answer was lost and the message is not in the channel", async () => {
  const { life, clock, discord, sent } = await due("post");
  discord.failOnce("post", "happens-late");
  await life.tick();
  await life.tickAfter(10_000);
  expect(discord.calls).toEqual(["post c-one", "ownMessages c-one", "post c-one"]);
  clock.advance(30_000);
  expect(sent()).toHaveLength(1);
});

it("does not mistake the previous slot's message for its own after a lost answer", async () => {
  const { life, discord, slots } = await due("post", {
    schedule: { ...SETTINGS.schedule, timing: { every: 1 } },
  });
  await life.tickAfter(30_000);
  discord.failOnce("post", "outcome-unknown");
  await life.tickAfter(30_000);
  await life.tickAfter(10_000);
  expect(slots()).toEqual([SLOT_MS, SLOT_MS + MINUTE_MS]);
});

it("posts nothing after a lost answer while the channel cannot be read", async () => {
  const { life, discord, sent, read } = await due("post");
  discord.failOnce("post", "outcome-unknown");
  await life.tick();
  discord.unreadable.add("c-one");
  for (let waited = 0; waited < 240; waited += 10) {
    await life.tickAfter(10_000);
  }
  expect(discord.calls.filter((call) => call.startsWith("post"))).toHaveLength(1);
  discord.unreadable.clear();
  await life.tickAfter(10_000);
  expect(sent()).toEqual([]);
  expect(await read()).toMatchObject({ missed: 1, lastMissedMs: SLOT_MS, claimedSlotMs: undefined });
});

it("gives up a slot if the channel cannot be read for ten minutes, so that the board continues", async () => {
  const { life, discord, slots, read } = await due("post", {
    schedule: { ...SETTINGS.schedule, timing: { at: ["17:25", "17:36"] } },
  });
  discord.failOnce("post", "outcome-unknown");
  await life.tick();
  discord.unreadable.add("c-one");
  for (let waited = 0; waited < 11 * MINUTE_MS; waited += 10_000) {
    await life.tickAfter(10_000);
  }
  expect(slots()).toEqual([START_MS + 16 * MINUTE_MS]);
  expect(await read()).toMatchObject({ missed: 1, lastMissedMs: SLOT_MS });
});

it.each(["unavailable", "slow-down"] as const)(
  "retries at each tick until the slot is two minutes old (%s), without reading the channel",
  async (problem) => {
    const { life, discord, sent, read } = await due("post");
    discord.fault = () => problem;
    await life.tickFor(120);
    expect(new Set(discord.calls)).toEqual(new Set(["post c-one"]));
    expect(discord.calls).toHaveLength(12);
    discord.fault = () => undefined;
    await life.tick();
    expect(sent()).toHaveLength(1);
    expect(await read()).toMatchObject({ missed: 0, claimedSlotMs: undefined });
  },
);

it("counts a slot as missed if Discord is unavailable for all of its two minutes", async () => {
  const { life, discord, sent, read } = await due("post");
  discord.fault = () => "unavailable";
  await life.tickFor(140);
  expect(await read()).toMatchObject({ missed: 1, lastMissedMs: SLOT_MS, claimedSlotMs: undefined });
  expect(sent()).toEqual([]);
});

it("edits again if the answer to an edit was lost", async () => {
  const { life, next, data, shown, read, discord } = await due("edit");
  await life.tick();
  data.version = 1;
  discord.failOnce("edit", "answer-lost");
  await next();
  await life.tickAfter(10_000);
  expect(shown()).toEqual(["1"]);
  expect(await read()).toMatchObject({ shownHash: "1", missed: 0, claimedSlotMs: undefined });
});

it("edits again after a crash, even back to what the row says the message shows", async () => {
  const { life, next, data, discord, shown, begin, clock } = await due("edit");
  await life.tick();
  data.version = 1;
  discord.failOnce("edit", "dies-after");
  await next();
  expect(shown()).toEqual(["1"]);
  data.version = 0;
  clock.advance(CLAIM_MS);
  await begin().tick();
  expect(shown()).toEqual(["0"]);
});

it("counts a slot as missed without a retry if Discord refuses it", async () => {
  const { life, discord, read } = await due("post");
  discord.fault = () => "refused";
  await life.tick();
  await life.tickAfter(MINUTE_MS);
  expect(discord.calls).toEqual(["post c-one"]);
  expect(await read()).toMatchObject({ missed: 1, claimedSlotMs: undefined });
});

it("leaves a slot to the process that has claimed it, and takes it over when the claim expires", async () => {
  const { life, begin, clock, discord, sent, read } = await due("post");
  discord.failOnce("post", "dies-before");
  await life.tick();
  const heir = begin();
  clock.advance(CLAIM_MS - 1);
  await heir.tick();
  expect(sent()).toEqual([]);
  clock.advance(1);
  await heir.tick();
  expect(discord.calls).toEqual(["post c-one", "ownMessages c-one", "post c-one"]);
  expect(sent()).toHaveLength(1);
  expect(await read()).toMatchObject({ missed: 0, claimedSlotMs: undefined });
});

it("finds the message of a slot hours after a crash left the slot open", async () => {
  const { life, begin, clock, sent, read, discord } = await due("post", {
    schedule: { ...SETTINGS.schedule, timing: { every: 720 } },
    publish: true,
  });
  clock.advance(395 * MINUTE_MS);
  discord.failOnce("post", "dies-after");
  await life.tick();
  clock.advance(180 * MINUTE_MS);
  await begin().tick();
  expect(sent()).toHaveLength(1);
  expect(sent()[0]?.isPublished).toBe(false);
  expect(await read()).toMatchObject({ messageId: "1", missed: 0, claimedSlotMs: undefined });
});

it("finishes a slot that a crash left open before it sends the next one", async () => {
  const { life, begin, clock, slots, read, discord } = await due("post");
  discord.failOnce("post", "dies-after");
  await life.tick();
  clock.advance(5 * MINUTE_MS);
  await begin().tick();
  expect(slots()).toEqual([SLOT_MS, SLOT_MS + 5 * MINUTE_MS]);
  expect(await read()).toMatchObject({ messageId: "2", missed: 0, claimedSlotMs: undefined });
});

it("deletes a message that was posted while its board was removed", async () => {
  const { life, begin, database, discord, sent } = await due("edit");
  discord.replace((real) => ({
    async post(...args) {
      await database.boards.changeState("one", ["active"], { state: "removed" });
      return real.post(...args);
    },
  }));
  await begin().tick();
  expect(sent().map(({ isDeleted }) => isDeleted)).toEqual([true]);
  await life.tick();
  expect(sent()).toHaveLength(1);
});

it.each(["post", "edit"] as const)(
  "says “Paused” in a message whose board was paused while it was sent (%s)",
  async (verb) => {
    const { life, next, data, database, discord, shown, read } = await due("edit");
    if (verb === "edit") {
      await life.tick();
      data.version = 1;
    }
    discord.fault = (called) => {
      if (called === verb) {
        discord.fault = () => undefined;
        void database.boards.changeState("one", ["active"], { state: "paused", nextSlotMs: undefined });
      }
      return undefined;
    };
    await (verb === "edit" ? next() : life.tick());
    expect(shown()).toEqual(["closed:Paused"]);
    expect(await read()).toMatchObject({
      state: "paused",
      shownHash: "closed:Paused",
      claimedSlotMs: undefined,
    });
  },
);

it("leaves the message of a later slot to the process that delivers it", async () => {
  const { life, begin, database, discord, sent } = await due("replace");
  await life.tick();
  const behind = { claimedSlotMs: SLOT_MS - 5 * MINUTE_MS, claimedUntilMs: 0, messageId: undefined };
  await database.boards.change("one", behind);
  discord.replace((real) => ({
    async ownMessages(...args) {
      const found = await real.ownMessages(...args);
      // Meanwhile, the other process has sent that message but not yet recorded it.
      await database.boards.change("one", { claimedSlotMs: SLOT_MS });
      return found;
    },
  }));
  await begin().tick();
  expect(sent().map(({ isDeleted }) => isDeleted)).toEqual([false]);
});

it("does not send a board that was paused during preparation", async () => {
  const { begin, clock, data, database, sent } = await due("edit");
  const known = { ...data.data };
  data.data.ask = async (wanted) => {
    await database.boards.changeState("one", ["active"], { state: "paused" });
    clock.advance(10_000);
    await expect.poll(() => clock.waits()).toContain(10_000);
    return known.ask(wanted);
  };
  await begin().tick();
  expect(sent()).toEqual([]);
});

it("publishes its posts, up to ten an hour in each channel", async () => {
  const { life, clock, sent } = await due("post", {
    publish: true,
    schedule: { ...SETTINGS.schedule, timing: { every: 1 } },
  });
  for (let minutes = 0; minutes < 12; minutes += 1) {
    await life.tick();
    clock.advance(MINUTE_MS);
  }
  expect(sent().map(({ isPublished }) => isPublished)).toEqual([
    ...Array.from({ length: 10 }, () => true),
    false,
    false,
  ]);
  await life.tickAfter(48 * MINUTE_MS);
  expect(sent().at(-1)?.isPublished).toBe(true);
});

it("leaves a message unpublished if publishing fails, and publishes only the next one", async () => {
  const { life, next, discord, sent, read } = await due("post", { publish: true });
  discord.failOnce("publish", "slow-down");
  await life.tick();
  expect(sent().map(({ isPublished }) => isPublished)).toEqual([false]);
  expect(await read()).toMatchObject({ messageId: "1", claimedSlotMs: undefined });
  await next();
  expect(discord.calls).toEqual(["post c-one", "publish c-one", "post c-one", "publish c-one"]);
});
