import { expect, it, onTestFinished } from "vitest";
import { questionKey } from "../../../src/boards/planning/board-contents.ts";
import { MINUTE_MS, SETTINGS, START_MS, boardWorld, findMark, wordsOf } from "../../support/board-world.ts";

const SLOT_MS = START_MS + 5 * MINUTE_MS;
/** The timers during a tick: the loop's own, and the one that renews claims. */
const TIMERS = 2;

it("posts a board's first message silently at its slot, and not before", async () => {
  const { clock, add, begin, discord, read } = await boardWorld();
  await add("one");
  const life = begin();
  clock.advance(5 * MINUTE_MS - 1);
  await life.tick();
  expect(discord.calls).toEqual([]);
  clock.advance(1);
  await life.tick();
  await life.tick();
  expect(discord.calls).toEqual(["post c-one"]);
  const [message] = discord.messages;
  expect(message && findMark(message)).toEqual({ boardId: "one", slotMs: SLOT_MS });
  expect(message?.silent).toBe(true);
  expect(message?.nonce).toMatch(/^.{25}$/);
  expect(await read("one")).toMatchObject({
    messageId: message?.messageId,
    messageSlotMs: SLOT_MS,
    shownHash: "0",
    shownDataMs: SLOT_MS,
    lastSentMs: SLOT_MS,
    nextSlotMs: SLOT_MS + 5 * MINUTE_MS,
    claimedSlotMs: undefined,
    missed: 0,
  });
});

it("sends a slot that is two minutes late, and counts an older one as missed", async () => {
  const { clock, add, begin, discord, read } = await boardWorld();
  await add("one");
  await add("two", { changed: { schedule: { ...SETTINGS.schedule, timing: { at: ["17:25"] } } } });
  clock.advance(7 * MINUTE_MS);
  await begin().tick();
  expect(discord.messages).toHaveLength(2);
  clock.advance(24 * 60 * MINUTE_MS + 1);
  await begin().tick();
  expect(discord.messages).toHaveLength(2);
  expect(await read("two")).toMatchObject({
    missed: 1,
    lastMissedMs: SLOT_MS + 24 * 60 * MINUTE_MS,
    claimedSlotMs: undefined,
  });
});

it("sends only the last of several slots that are due, and counts the others as missed", async () => {
  const { clock, add, begin, sent, read } = await boardWorld();
  await add("one", { changed: { mode: "post" }, missed: 2 });
  clock.advance(21 * MINUTE_MS);
  await begin().tick();
  expect(sent("one").map((each) => findMark(each)?.slotMs)).toEqual([START_MS + 20 * MINUTE_MS]);
  expect(await read("one")).toMatchObject({ missed: 5, lastMissedMs: START_MS + 15 * MINUTE_MS });
});

it("ignores boards that are not active, or whose server the bot has left", async () => {
  const { clock, add, begin, discord, database } = await boardWorld();
  await add("paused", { state: "paused" });
  await add("removed", { state: "removed" });
  await add("left", { guildId: "g2" });
  await database.leftGuilds.add("g2", START_MS);
  clock.advance(5 * MINUTE_MS);
  await begin().tick();
  expect(discord.calls).toEqual([]);
});

it("continues with other boards if one board's settings cannot be parsed", async () => {
  const { clock, add, begin, sent } = await boardWorld();
  await add("odd", { settings: "{}" });
  await add("one");
  clock.advance(5 * MINUTE_MS);
  await begin().tick();
  expect(sent("one")).toHaveLength(1);
});

it("posts 1,200 boards in one tick, never working on more than 200 at once", async () => {
  const { clock, add, begin, discord } = await boardWorld();
  for (let index = 0; index < 1_200; index += 1) {
    await add(`b${index}`);
  }
  let most = 0;
  let open = 0;
  discord.replace((real) => ({
    async post(...args) {
      open += 1;
      most = Math.max(most, open);
      const posted = await real.post(...args);
      open -= 1;
      return posted;
    },
  }));
  clock.advance(5 * MINUTE_MS);
  await begin().tick();
  expect(new Set(discord.messages.map(({ channelId }) => channelId)).size).toBe(1_200);
  expect(discord.messages).toHaveLength(1_200);
  expect(most).toBeLessThanOrEqual(200);
});

it("joins a tick that is already running", async () => {
  const { clock, add, begin, discord } = await boardWorld();
  await add("one");
  clock.advance(5 * MINUTE_MS);
  const life = begin();
  await Promise.all([life.tick(), life.tick()]);
  expect(discord.calls).toEqual(["post c-one"]);
});

it("renews the claim of a slow board, and sends others meanwhile", async () => {
  const { clock, add, begin, discord, sent, read } = await boardWorld();
  await add("slow");
  await add("other", { changed: { schedule: { ...SETTINGS.schedule, timing: { at: ["17:26"] } } } });
  const held = Promise.withResolvers<void>();
  discord.replace((real) => ({
    async post(channelId, ...args) {
      await (channelId === "c-slow" && held.promise);
      return real.post(channelId, ...args);
    },
  }));
  clock.advance(5 * MINUTE_MS);
  const life = begin();
  const tick = life.tick();
  for (let beats = 0; beats < 6; beats += 1) {
    await expect.poll(() => clock.waits().length).toBe(TIMERS);
    clock.advance(10_000);
  }
  await expect.poll(() => sent("other").length).toBe(1);
  await expect.poll(async () => (await read("slow")).claimedUntilMs).toBe(clock.now() + 30_000);
  held.resolve();
  await tick;
  expect(sent("slow")).toHaveLength(1);
  expect(await read("slow")).toMatchObject({ messageSlotMs: SLOT_MS, claimedSlotMs: undefined });
});

it("passes all active boards to the plan once a minute, and removes old drafts", async () => {
  const { clock, add, begin, data, database } = await boardWorld();
  await add("one");
  await add("draft", { state: "draft" });
  await add("young", { state: "removed", stateAtMs: START_MS + MINUTE_MS });
  clock.advance(59 * MINUTE_MS + 59_000);
  const life = begin();
  await life.tick();
  await life.tick();
  expect(data.planned).toEqual([[SETTINGS]]);
  expect(await database.boards.get("draft")).toBeDefined();
  clock.advance(MINUTE_MS);
  await life.tick();
  expect(data.planned).toHaveLength(2);
  expect(await database.boards.get("draft")).toBeUndefined();
  expect(await database.boards.get("young")).toBeDefined();
});

it("asks each distinct question once for all boards, for data since the earliest slot", async () => {
  const { clock, add, begin, data } = await boardWorld();
  await add("one");
  await add("two", { changed: { callingAt: ["LDS", "HUL"], operator: "LNER" } });
  await add("three", {
    changed: { callingAt: ["LDS"], schedule: { ...SETTINGS.schedule, timing: { at: ["17:24"] } } },
  });
  clock.advance(5 * MINUTE_MS);
  await begin().tick();
  const wanted = data.asked[0]?.map(({ question, sinceMs }) => [
    questionKey(question),
    (sinceMs - START_MS) / MINUTE_MS,
  ]);
  expect(new Map(wanted?.map(([key, minutes]) => [key, minutes]))).toEqual(
    new Map([
      ["departures:YRK", 5],
      ["departures:YRK:LDS", 4],
      ["departures:YRK:HUL", 5],
    ]),
  );
  expect(wanted).toHaveLength(3);
});

it("continues after a bug made one request for data throw", async () => {
  const { clock, add, begin, data, sent } = await boardWorld();
  await add("one");
  const { ask } = data.data;
  data.data.ask = async () => {
    data.data.ask = ask;
    throw new TypeError("a bug");
  };
  clock.advance(5 * MINUTE_MS);
  const life = begin();
  await life.tick();
  clock.advance(31_000);
  await life.tick();
  expect(sent("one")).toHaveLength(1);
});

it("uses the data it has if answers take longer than half a minute", async () => {
  const { clock, add, begin, data, sent } = await boardWorld();
  await add("one");
  data.data.ask = () => new Promise(() => undefined);
  clock.advance(5 * MINUTE_MS);
  const tick = begin().tick();
  for (let beats = 0; beats < 3; beats += 1) {
    await expect.poll(() => clock.waits()).toContain(10_000);
    clock.advance(10_000);
  }
  await tick;
  expect(sent("one")).toHaveLength(1);
});

it("says after a board's hours when it will be back, even if an answer comes later, and resumes then", async () => {
  const { clock, add, begin, data, discord, read } = await boardWorld();
  const schedule = { ...SETTINGS.schedule, hours: { from: "17:00", to: "17:30" } };
  await add("one", { changed: { schedule } });
  await add("posted", { changed: { schedule, mode: "post" } });
  data.mayAsk = () => false;
  const life = begin();
  const shown = () =>
    discord.messages.filter((each) => findMark(each)?.boardId === "one").map(({ reply }) => wordsOf(reply));
  for (let minute = 0; minute < 20; minute += 1) {
    clock.advance(MINUTE_MS);
    await life.tick();
  }
  // It is 17:40; the last slot was at 17:30.
  expect(shown()).toEqual(["closed:Back at 17:00 on Sunday"]);
  expect(await read("one")).toMatchObject({ shownHash: "closed:Back at 17:00 on Sunday" });
  const edits = () => discord.calls.filter((call) => call.startsWith("edit")).length;
  const before = edits();
  data.mayAsk = () => true;
  data.version = 1;
  clock.advance(60 * MINUTE_MS);
  await life.tick();
  expect(edits()).toBe(before);
  clock.advance(22 * 60 * MINUTE_MS + 20 * MINUTE_MS);
  await life.tick();
  expect(shown()).toEqual(["1"]);
});

it("sends due boards while 300 others say that their hours are over, 200 at a time", async () => {
  const { clock, add, begin, discord, read, sent } = await boardWorld();
  const schedule = { ...SETTINGS.schedule, hours: { from: "07:00", to: "09:00" } };
  for (let index = 0; index < 300; index += 1) {
    await add(`b${index}`, { changed: { schedule }, messageId: `m${index}`, lastSentMs: 0, shownHash: "0" });
  }
  await add("due");
  const held = Promise.withResolvers<void>();
  let edits = 0;
  discord.replace(() => ({
    async edit() {
      edits += 1;
      await held.promise;
    },
  }));
  clock.advance(5 * MINUTE_MS);
  const tick = begin().tick();
  await expect.poll(() => sent("due")).toHaveLength(1);
  await expect.poll(() => edits).toBeGreaterThan(190);
  expect(edits).toBeLessThanOrEqual(200);
  held.resolve();
  await tick;
  const hashes = await Promise.all(["b0", "b299"].map(async (id) => (await read(id)).shownHash));
  expect(hashes).toEqual(["closed:Back at 07:00 on Sunday", "closed:Back at 07:00 on Sunday"]);
});

it("tries only once to edit a deleted message when the board's hours are over", async () => {
  const { clock, add, begin, discord } = await boardWorld();
  const schedule = { ...SETTINGS.schedule, hours: { from: "07:00", to: "09:00" } };
  await add("one", { changed: { schedule }, messageId: "m1", lastSentMs: 0, shownHash: "0" });
  const life = begin();
  for (let minute = 0; minute < 5; minute += 1) {
    await life.tick();
    clock.advance(MINUTE_MS);
  }
  expect(discord.calls).toEqual(["edit c-one"]);
  clock.advance(14 * 60 * MINUTE_MS);
  await life.tick();
  expect(discord.calls.slice(1)).toEqual(["edit c-one", "post c-one"]);
});

it("leaves refreshed trains in a message for ten minutes after the board's hours", async () => {
  const { clock, add, begin, discord } = await boardWorld();
  const schedule = { ...SETTINGS.schedule, hours: { from: "07:00", to: "09:00" } };
  await add("one", { changed: { schedule }, messageId: "m1", lastSentMs: START_MS, shownHash: "0" });
  const life = begin();
  clock.advance(9 * MINUTE_MS);
  await life.tick();
  expect(discord.calls).toEqual([]);
  clock.advance(MINUTE_MS);
  await life.tick();
  expect(discord.calls).toEqual(["edit c-one"]);
});

it("updates a message when its question is answered after the slot", async () => {
  const { clock, add, begin, data, discord, sent, read } = await boardWorld();
  await add("one");
  await add("post", { changed: { mode: "post" } });
  data.mayAsk = () => false;
  clock.advance(5 * MINUTE_MS);
  const life = begin();
  await life.tick();
  data.version = 1;
  clock.advance(MINUTE_MS);
  await life.tick();
  expect(discord.calls.filter((call) => call.startsWith("edit"))).toEqual([]);
  expect(data.asked.at(-1)).toEqual([{ question: { kind: "departures", crs: "YRK" }, sinceMs: SLOT_MS }]);
  data.mayAsk = () => true;
  clock.advance(MINUTE_MS);
  await life.tick();
  expect(sent("one").map(({ reply }) => wordsOf(reply))).toEqual(["1"]);
  expect(sent("one").map((each) => findMark(each)?.slotMs)).toEqual([SLOT_MS]);
  expect(await read("one")).toMatchObject({ shownHash: "1", lastSentMs: START_MS + 7 * MINUTE_MS });
  data.version = 2;
  clock.advance(MINUTE_MS);
  await life.tick();
  expect(sent("one")[0]?.edits).toBe(1);
});

/** Opens a world with a board whose slot has passed while its question could not be asked. */
async function unanswered() {
  const world = await boardWorld();
  await world.add("one");
  world.data.mayAsk = () => false;
  world.clock.advance(5 * MINUTE_MS);
  const life = world.begin();
  await life.tick();
  return { ...world, life };
}

it("leaves newer data in a message when its question is answered after the slot", async () => {
  const { clock, data, database, life, sent } = await unanswered();
  await database.boards.change("one", { shownDataMs: clock.now() + MINUTE_MS });
  clock.advance(2 * MINUTE_MS);
  data.mayAsk = () => true;
  data.version = 1;
  data.ageMs = 2 * MINUTE_MS;
  await life.tick();
  expect(sent("one")[0]?.edits).toBe(0);
});

it("stops asking for a board that was paused before its question was answered", async () => {
  const { clock, data, database, life } = await unanswered();
  await database.boards.changeState("one", ["active"], { state: "paused", nextSlotMs: undefined });
  const { length } = data.asked;
  clock.advance(MINUTE_MS);
  await life.tick();
  expect(data.asked).toHaveLength(length);
});

it("retries an update when Discord is available again", async () => {
  const { data, discord, life, sent } = await unanswered();
  data.mayAsk = () => true;
  data.version = 1;
  discord.fault = () => "unavailable";
  await life.tick();
  discord.fault = () => undefined;
  await life.tick();
  expect(sent("one")[0]?.edits).toBe(1);
});

it("updates the message of a missed slot", async () => {
  const { clock, add, begin, data, sent, read } = await boardWorld();
  await add("one", { changed: { schedule: { ...SETTINGS.schedule, timing: { at: ["18:00", "19:00"] } } } });
  const life = begin();
  clock.advance(40 * MINUTE_MS);
  await life.tick();
  data.version = 1;
  clock.advance(65 * MINUTE_MS);
  await life.tick();
  await life.tick();
  expect(sent("one").map(({ edits }) => edits)).toEqual([1]);
  expect((await read("one")).missed).toBe(1);
});

it("yields to the event loop between any two boards", async () => {
  const { clock, add, begin, discord, data } = await boardWorld();
  for (let index = 0; index < 20; index += 1) {
    await add(`b${index}`);
  }
  let round = 0;
  let going = setImmediate(count);
  function count(): void {
    round += 1;
    going = setImmediate(count);
  }
  onTestFinished(() => clearImmediate(going));
  const rounds: number[] = [];
  const content = data.data.content.bind(data.data);
  data.data.content = (settings) => {
    rounds.push(round);
    return content(settings);
  };
  clock.advance(5 * MINUTE_MS);
  await begin().tick();
  expect(discord.messages).toHaveLength(20);
  expect(new Set(rounds).size).toBe(20);
});

it("keeps passing all active boards to the plan while one is slow", async () => {
  const { clock, add, begin, discord, data } = await boardWorld();
  await add("slow");
  const held = Promise.withResolvers<void>();
  discord.replace((real) => ({
    async post(...args) {
      await held.promise;
      return real.post(...args);
    },
  }));
  clock.advance(5 * MINUTE_MS);
  const tick = begin().tick();
  await add("new", { changed: { rows: 3 }, nextSlotMs: START_MS + 60 * MINUTE_MS });
  for (let beats = 0; beats < 6; beats += 1) {
    await expect.poll(() => clock.waits().length).toBe(TIMERS);
    clock.advance(10_000);
  }
  await expect
    .poll(() =>
      data.planned
        .at(-1)
        ?.map(({ rows }) => rows)
        .toSorted(),
    )
    .toEqual([3, 8]);
  held.resolve();
  await tick;
});

it("sends due boards although maintenance fails, and repeats maintenance later", async () => {
  const { clock, add, begin, data, sent } = await boardWorld();
  await add("one");
  const plan = data.data.plan.bind(data.data);
  data.data.plan = () => {
    throw new Error("one odd board");
  };
  clock.advance(5 * MINUTE_MS);
  const life = begin();
  await life.tick();
  expect(sent("one")).toHaveLength(1);
  data.data.plan = plan;
  clock.advance(10_000);
  await life.tick();
  expect(data.planned).toHaveLength(1);
});

it("reports progress while it waits for Discord, but stops after half an hour with the same message", async () => {
  const { clock, add, begin, discord } = await boardWorld();
  await add("slow");
  await add("other");
  discord.replace((real) => ({
    post: (channelId, ...args) =>
      channelId === "c-slow" ? new Promise(() => undefined) : real.post(channelId, ...args),
  }));
  clock.advance(5 * MINUTE_MS);
  let progress = 0;
  const life = begin();
  const tick = life.tick(() => (progress += 1));
  async function turned(): Promise<void> {
    await expect.poll(() => clock.waits(), { interval: 1 }).toHaveLength(TIMERS);
  }
  /** Runs the loop for ten minutes; returns how often it reported progress. */
  async function tenMinutes(): Promise<number> {
    const before = progress;
    for (let beats = 0; beats < 60; beats += 1) {
      await turned();
      clock.advance(10_000);
    }
    await turned();
    return progress - before;
  }
  expect([await tenMinutes(), await tenMinutes(), await tenMinutes()]).toEqual([60, 60, 59]);
  expect(await tenMinutes()).toBe(0);
  life.end();
  await tick;
});
