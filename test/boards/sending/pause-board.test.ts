import { expect, it } from "vitest";
import {
  type AddedBoard,
  MINUTE_MS,
  SETTINGS,
  START_MS,
  boardWorld,
  wordsOf,
} from "../../support/board-world.ts";
import { type Fault, componentIdsOf } from "../../support/fake-messenger.ts";

/** Opens a world with one board that is due and whose channel is gone. */
async function stuck(added: AddedBoard = {}) {
  const world = await boardWorld();
  await world.add("one", added);
  world.clock.advance(5 * MINUTE_MS);
  world.discord.gone.add("c-one");
  return { ...world, life: world.begin() };
}

it("pauses a board whose channel is gone, and tells its subscriber once", async () => {
  const { life, clock, discord, read } = await stuck();
  await life.tick();
  expect(await read("one")).toMatchObject({
    state: "paused",
    pausedBecause: "channel-gone",
    stateAtMs: clock.now(),
    nextSlotMs: undefined,
    claimedSlotMs: undefined,
    claimedUntilMs: undefined,
  });
  clock.advance(10 * MINUTE_MS);
  await life.tick();
  expect(discord.calls).toEqual(["post c-one", "dm u1"]);
  const [notice] = discord.messages;
  expect(notice && componentIdsOf(notice.reply)).toEqual(["board/list:repair:1:b=one"]);
  expect(notice?.silent).toBe(false);
});

it("names the server and the deleted channel in the notice", async () => {
  const { life, add, clock, data, discord } = await stuck();
  await add("two", { channelId: "c-two" });
  await life.tick();
  clock.advance(5 * MINUTE_MS);
  data.version = 1;
  discord.gone.add("c-two");
  await life.tick();
  const notice = JSON.stringify(discord.messages.at(-1)?.reply).replaceAll("\\", "");
  expect(notice).toContain("**#name-of-c-two** on **name-of-g1**");
});

it("does not pause a board whose server has removed the bot, and continues when the bot is back", async () => {
  const { life, clock, discord, read, sent } = await stuck();
  discord.left.add("g1");
  for (let tick = 0; tick < 24; tick += 1) {
    await life.tick();
    clock.advance(10_000);
  }
  expect(discord.calls.filter((call) => call.startsWith("post")).length).toBeLessThan(4);
  expect(await read("one")).toMatchObject({ state: "active", claimedSlotMs: undefined, missed: 1 });
  discord.left.clear();
  discord.gone.clear();
  clock.advance(MINUTE_MS);
  await life.tick();
  expect(sent("one")).toHaveLength(1);
  expect(discord.messages, "no notice").toHaveLength(1);
});

it.each<Fault | undefined>([undefined, "dies-before", "dies-after", "answer-lost"])(
  "pauses all boards of a channel that is gone, and tells each subscriber once (%s)",
  async (fault) => {
    const { life, begin, add, clock, discord, read } = await stuck();
    const later = { schedule: { ...SETTINGS.schedule, timing: { at: ["23:00"] } } };
    await add("two", { channelId: "c-one" });
    await add("later", { channelId: "c-one", changed: later });
    await add("hers", { channelId: "c-one", createdBy: "u2" });
    await add("other");
    if (fault !== undefined) {
      discord.failOnce("dm", fault);
    }
    await life.tick();
    clock.advance(30_000);
    await begin().tick();
    for (const id of ["one", "two", "later", "hers"]) {
      expect(await read(id)).toMatchObject({ state: "paused", pausedBecause: "channel-gone" });
    }
    expect((await read("other")).state).toBe("active");
    const notices = discord.messages.filter(({ channelId }) => channelId.startsWith("u"));
    expect(notices.map(({ channelId }) => channelId).toSorted()).toEqual(["u1", "u2"]);
  },
);

it("pauses a person's boards in a channel where the bot may no longer post, with one notice", async () => {
  const { add, begin, discord, read } = await stuck();
  await add("two", { channelId: "c-one" });
  discord.gone.clear();
  discord.fault = (verb) => (verb === "post" ? "not-allowed" : undefined);
  const channel = { guildId: "g1", kind: "text", name: "trains", locked: false } as const;
  discord.replace(() => ({ check: async () => ({ ...channel, missing: ["Send Messages"] }) }));
  await begin().tick();
  for (const id of ["one", "two"]) {
    expect(await read(id)).toMatchObject({ state: "paused", pausedBecause: "not-allowed" });
  }
  expect(discord.messages.map(({ channelId }) => channelId)).toEqual(["u1"]);
});

it("does not pause a board while the bot is timed out, and tries it once a minute", async () => {
  const { life, clock, discord, read, sent } = await stuck();
  discord.gone.clear();
  discord.timedOutUntilMs = clock.now() + 28 * 24 * 60 * MINUTE_MS;
  discord.fault = (verb) => (verb === "post" ? "not-allowed" : undefined);
  for (let tick = 0; tick < 12; tick += 1) {
    await life.tick();
    clock.advance(10_000);
  }
  expect(discord.calls).toEqual(["post c-one", "post c-one"]);
  expect((await read("one")).state).toBe("active");
  discord.fault = () => undefined;
  await life.tick();
  expect(sent("one")).toHaveLength(1);
});

it("pauses a board if its station or a calling point is not on the list", async () => {
  const { life, add, read, discord } = await stuck({ changed: { station: "XXX" } });
  await add("two", { changed: { callingAt: ["LDS", "XXX"] } });
  await life.tick();
  expect(await read("one")).toMatchObject({ state: "paused", pausedBecause: "station-closed" });
  expect(await read("two")).toMatchObject({ state: "paused", pausedBecause: "station-closed" });
  expect(discord.calls).toEqual(["dm u1", "dm u1"]);
});

it("says “Paused” in the message of a board whose station is no longer on the list", async () => {
  const { add, database, clock, begin, read, sent } = await boardWorld();
  await add("one");
  clock.advance(5 * MINUTE_MS);
  await begin().tick();
  await database.boards.change("one", { settings: JSON.stringify({ ...SETTINGS, station: "XXX" }) });
  clock.advance(5 * MINUTE_MS);
  await begin().tick();
  expect(await read("one")).toMatchObject({ state: "paused", shownHash: "closed:Paused" });
  expect(sent("one").map(({ reply }) => wordsOf(reply))).toEqual(["closed:Paused"]);
});

it.each<AddedBoard>([{}, { createdBy: undefined }])(
  "tells the server if nobody can be told by direct message (%j)",
  async (added) => {
    const { life, discord, read } = await stuck(added);
    discord.closed.add("u1");
    discord.noticeChannel = "system";
    await life.tick();
    expect(discord.messages.map(({ channelId }) => channelId)).toEqual(["system"]);
    expect((await read("one")).state).toBe("paused");
  },
);

it.each([undefined, "c-one"])("pauses a board even if nobody can be told (%s)", async (channel) => {
  const { life, discord, read } = await stuck();
  discord.closed.add("u1");
  discord.noticeChannel = channel;
  await life.tick();
  expect(discord.messages).toEqual([]);
  expect((await read("one")).state).toBe("paused");
});

it("retries the notice while Discord is unavailable, and pauses the board after it is sent", async () => {
  const { life, clock, discord, read } = await stuck();
  discord.failOnce("dm", "unavailable");
  await life.tick();
  expect((await read("one")).state).toBe("active");
  clock.advance(10_000);
  await life.tick();
  expect((await read("one")).state).toBe("paused");
  expect(discord.messages).toHaveLength(1);
});

it.each<Fault>(["dies-before", "dies-after", "answer-lost"])(
  "sends exactly one notice if sending it %s",
  async (fault) => {
    const { life, begin, clock, discord, read } = await stuck();
    discord.failOnce("dm", fault);
    await life.tick();
    clock.advance(30_000);
    await begin().tick();
    expect(discord.messages.map(({ channelId }) => channelId)).toEqual(["u1"]);
    expect(await read("one")).toMatchObject({ state: "paused", pausedBecause: "channel-gone" });
  },
);

it("sends another notice if a repaired board stops again", async () => {
  const { life, clock, discord, database } = await stuck();
  await life.tick();
  await database.boards.changeState("one", ["paused"], {
    state: "active",
    stateAtMs: clock.now() + 1,
    nextSlotMs: START_MS + 6 * MINUTE_MS,
  });
  clock.advance(MINUTE_MS);
  await life.tick();
  expect(discord.messages).toHaveLength(2);
});
