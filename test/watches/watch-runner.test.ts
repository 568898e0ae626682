import { describe, expect, it } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { prepareRestoredWatches } from "../../src/watches/prepare-restored.ts";
import { parseKnowledge, serialiseKnowledge } from "../../src/watches/train-knowledge.ts";
import type { Fault, FakeMessage, Verb } from "../support/fake-messenger.ts";
import { todayMs, trainRow, watchSettings, watchedCommute, watchedTrain } from "../support/watches.ts";
import { type AddedWatch, watchWorld, wordsOf } from "../support/watch-world.ts";

/** Opens a world with one watch. */
async function watching(added: AddedWatch = {}) {
  const world = await watchWorld();
  await world.add("watch001", added);
  const life = world.begin();
  /** Sets the clock and, if rows are given, the board; ticks; returns the text of every message. */
  async function at(time: string, ...rows: Parameters<typeof trainRow>[0][]): Promise<readonly string[]> {
    world.turnTo(time);
    world.data.rows = rows.length === 0 ? world.data.rows : rows.map((row) => trainRow(row));
    await life.tick();
    return world.discord.messages.map(({ reply }) => wordsOf(reply));
  }
  return { ...world, life, at };
}

/** A watch with sound that had no train times, said so, and has them again at 07:11. */
async function backAfterOutage() {
  const world = await watching({ changed: { ping: true } });
  world.data.mayAsk = false;
  await world.at("06:31");
  await world.at("06:47");
  world.data.mayAsk = true;
  await world.at("07:11", {});
  return world;
}

const HEAD = "### 07:30 York → Leeds, Sat 21 Nov";
const BUTTONS = "[Pause] [Stop]";

describe("a bad morning", () => {
  it("is reported in one message that is edited as things change", async () => {
    const { at, discord, database } = await watching();
    const next = { time: "07:45", trainUid: "C00002", platform: "3", place: "Hull" };
    expect(await at("06:29", {}, next)).toEqual([]);
    expect(await at("06:31", {}, next)).toEqual([]);
    expect(await at("06:40", { late: 4 }, next)).toEqual([]);
    expect(await at("06:50", { late: 7 }, next)).toEqual([
      `${HEAD}\n**7 min late**, expected at **07:37** from platform 4.\n${BUTTONS}`,
    ]);
    expect(await at("07:00", { late: 12 }, next)).toEqual([
      `${HEAD}\n**12 min late**, expected at **07:42** from platform 4.\n${BUTTONS}`,
    ]);
    expect(await at("07:05", { late: 12, platform: "9" }, next)).toEqual([
      `${HEAD}\n**12 min late**, expected at **07:42** from platform 9.\n**Platform 9** instead of 4.\n${BUTTONS}`,
    ]);
    expect(await at("07:10", { state: "cancelled" }, next)).toEqual([
      `${HEAD}\n**Cancelled**.\nThe next one that runs: **07:45** to Hull, on time from platform 3.\n${BUTTONS}`,
    ]);
    expect(await at("07:15", { late: 0 }, next)).toEqual([
      `${HEAD}\n✅ **Back to normal**: on time from platform 4.\n${BUTTONS}`,
    ]);
    expect(await at("07:20", { state: "cancelled" }, { mode: "bus", time: "07:35" }, next)).toEqual([
      `${HEAD}\n**Cancelled**.\n🚌 **A bus runs instead** at 07:35.\nOr the next one that runs: **07:45** to Hull, on time from platform 3.\n${BUTTONS}`,
    ]);
    expect(await at("07:40")).toEqual([expect.stringContaining("A bus runs instead")]);
    expect(await at("07:41")).toEqual([`${HEAD}\nThe replacement bus has left.\n-# This watch is over.`]);
    expect(discord.messages).toMatchObject([{ silent: true, channelId: "7", isDeleted: false }]);
    await at("07:42");
    expect(await database.watches.get("watch001")).toMatchObject({ state: "ended" });
  });
});

const CHANNEL: AddedWatch = { guildId: "1", channelId: "c1" };
const LATE = { late: 9 };

function always(verb: Verb, fault: Fault): (called: Verb) => Fault | undefined {
  return (called) => (called === verb ? fault : undefined);
}

describe("a watch", () => {
  it("sends nothing while all is well, and ends", async () => {
    const { at, database, discord, data } = await watching();
    await at("06:31", {});
    await at("07:29", {});
    data.rows = [];
    await at("07:36");
    expect(discord.calls).toEqual([]);
    await at("07:37");
    expect((await database.watches.get("watch001"))?.state).toBe("ended");
    await at("07:38");
    const dayLater = todayMs("07:37") + 24 * 60 * 60_000;
    expect((await database.watches.get("watch001"))?.stateAtMs).toBe(todayMs("07:37"));
    await database.watches.sweep(0, dayLater + 1);
    expect(await database.watches.get("watch001")).toBeUndefined();
    expect(await database.incidents.ofWatch("watch001")).toEqual([]);
  });

  it("is judged once a minute while nothing changes", async () => {
    const what = watchedCommute();
    const { data, life, turnTo, clock, database } = await watching({ changed: { what } });
    const row = trainRow();
    let judged = false;
    const counted = {
      ...row,
      get aimedAt() {
        judged = true;
        return row.aimedAt;
      },
    };
    data.rows = [counted];
    /** Whether a tick ten seconds later judges the train. */
    async function isJudged(): Promise<boolean> {
      clock.advance(10_000);
      judged = false;
      await life.tick();
      return judged;
    }
    turnTo("07:00");
    expect(await isJudged()).toBe(true);
    data.mayAsk = false;
    // The first tick has changed the incident, so the second judges again.
    expect(await isJudged()).toBe(true);
    expect(await isJudged()).toBe(false);
    turnTo("07:01");
    expect(await isJudged()).toBe(true);
    expect(await isJudged()).toBe(false);
    const settings = JSON.stringify(watchSettings({ what, delayMinutes: 6 }));
    await database.watches.changeState("watch001", ["active"], { settings });
    expect(await isJudged()).toBe(true);
    expect(await isJudged()).toBe(false);
    data.mayAsk = true;
    expect(await isJudged()).toBe(true);
  });

  it("pings its owner once if they asked for it, with a mention only in a server's channel", async () => {
    const { at, discord } = await watching({ ...CHANNEL, changed: { ping: true } });
    expect(await at("07:00", LATE)).toEqual([
      `${HEAD}\n**9 min late**, expected at **07:39** from platform 4.\n-# <@7>\n${BUTTONS}`,
    ]);
    await at("07:01", { late: 20 });
    expect(discord.messages).toMatchObject([{ channelId: "c1", silent: false, edits: 1 }]);
    expect(discord.messages[0]?.ping).toEqual(["7"]);
    const alone = await watching({ changed: { ping: true } });
    expect((await alone.at("07:00", LATE))[0]).not.toContain("<@7>");
    expect(alone.discord.messages).toMatchObject([{ channelId: "7", silent: false }]);
  });

  it("says if it could not ask for newer data, and continues when it can", async () => {
    const { at, data, discord } = await watching();
    await at("07:00", LATE);
    data.mayAsk = false;
    const footer = () => JSON.stringify(discord.messages[0]?.reply).match(/As of [^"]*/)?.[0];
    expect(footer()).toMatch(/^As of 07:00 UK time \(<t:\d+:R>\) · source/);
    await at("07:05");
    expect(discord.messages[0]?.edits).toBe(0);
    await at("07:06");
    expect(footer()).toMatch(/^As of 07:00 UK time \(<t:\d+:R>\); I haven't been able to check since/);
    await at("07:20");
    expect(discord.messages[0]?.edits).toBe(1);
    data.mayAsk = true;
    await at("07:21");
    expect(footer()).toMatch(/^As of 07:21 UK time \(<t:\d+:R>\) · source/);
  });

  it("leaves a message that is being sent to the process that sends it", async () => {
    const { turnTo, data, discord, begin } = await watching();
    const held = Promise.withResolvers<void>();
    let posts = 0;
    discord.replace((real) => ({
      async post(...args) {
        posts += 1;
        await held.promise;
        return real.post(...args);
      },
    }));
    turnTo("06:50");
    data.rows = [trainRow(LATE)];
    const tick = begin().tick();
    await expect.poll(() => posts).toBe(1);
    await begin().tick();
    expect(posts).toBe(1);
    held.resolve();
    await tick;
    expect(discord.messages).toHaveLength(1);
  });

  it("sends nothing if its train recovers before a message could be sent", async () => {
    const { at, discord } = await watching();
    discord.failOnce("post", "unavailable");
    await at("06:50", LATE);
    expect(await at("06:51", { late: 0 })).toEqual([]);
  });

  it("leaves its message unchanged after a restart until it has new data or the train has left", async () => {
    const { at, data, discord, begin } = await watching();
    await at("07:00", LATE);
    data.forget();
    data.mayAsk = false;
    await begin().tick();
    expect(discord.messages[0]?.edits).toBe(0);
    await at("07:44");
    expect(discord.messages[0]?.edits).toBe(0);
    expect(await at("07:45")).toEqual([
      `${HEAD}\nIt should have left by now, 9 min late from platform 4.\n-# This watch is over.`,
    ]);
    expect(JSON.stringify(discord.messages[0]?.reply)).toContain("I haven't been able to check since");
  });

  const BLIND = `${HEAD}\n⚠️ **I can't get train times at the moment.** Please check the screens at the station.\n${BUTTONS}`;
  const BACK = `${HEAD}\n✅ Train times are back, and I've seen nothing wrong.\n${BUTTONS}`;

  it("says once that it gets no train times, and then whether they are back", async () => {
    const { at, data, discord } = await watching();
    data.mayAsk = false;
    expect(await at("06:31")).toEqual([]);
    expect(await at("06:46")).toEqual([]);
    expect(await at("06:47")).toEqual([BLIND]);
    expect(await at("07:10")).toEqual([BLIND]);
    data.mayAsk = true;
    expect(await at("07:11", {})).toEqual([BACK]);
    // Its next turn is a while away.
    data.isInTurn = false;
    expect(await at("07:17")).toEqual([BACK]);
    data.isInTurn = true;
    expect(await at("07:18", LATE)).toEqual([expect.stringContaining("9 min late")]);
    expect(discord.messages).toMatchObject([{ silent: true }]);
  });

  it("says at the end that it had no train times, also if they stopped coming after a first answer", async () => {
    const { at, data } = await watching();
    await at("06:40", {});
    data.mayAsk = false;
    await at("06:41");
    expect(await at("06:56")).toEqual([]);
    expect(await at("06:57")).toEqual([BLIND]);
    expect(await at("07:36")).toEqual([
      `${HEAD}\n⚠️ I couldn't get train times, so I can't say how it went.\n-# This watch is over.`,
    ]);
  });

  it("makes a sound for the first trouble after a message that it got no train times", async () => {
    const { at, discord } = await backAfterOutage();
    await at("07:12", LATE);
    await at("07:13", { late: 12 });
    await at("07:14", { late: 0 });
    expect((await at("07:15", LATE)).at(-1)).toContain("9 min late");
    expect(discord.messages).toMatchObject([
      { silent: false, isDeleted: true },
      { silent: false, isDeleted: false },
    ]);
  });

  it.each(["slow-down", "unavailable"] as const)("makes that sound later if Discord is %s", async (fault) => {
    const { at, discord } = await backAfterOutage();
    discord.failOnce("post", fault);
    await at("07:12", LATE);
    expect(discord.messages).toMatchObject([{ isDeleted: false }]);
    await at("07:13");
    expect(discord.messages).toMatchObject([{ isDeleted: true }, { silent: false, isDeleted: false }]);
  });

  it.each([
    ["dies-before", LATE],
    ["dies-after", LATE],
    ["answer-lost", LATE],
    ["dies-before", { platform: "9" }],
  ] as const)(
    "makes that sound once if the outcome of sending it is unknown (%s, %o)",
    async (fault, trouble) => {
      const { at, discord, begin, clock } = await backAfterOutage();
      discord.fault = always("post", fault);
      await at("07:12", trouble);
      discord.fault = () => undefined;
      const life = begin();
      for (let ticks = 0; ticks < 12; ticks += 1) {
        clock.advance(10_000);
        await life.tick();
      }
      expect(discord.messages).toMatchObject([{ isDeleted: true }, { silent: false, isDeleted: false }]);
    },
  );

  it("sends nothing while its turn in the plan has not come", async () => {
    const { at, data } = await watching();
    data.isInTurn = false;
    expect(await at("06:31")).toEqual([]);
    expect(await at("07:05")).toEqual([]);
    data.isInTurn = true;
    expect(await at("07:06", LATE)).toEqual([expect.stringContaining("9 min late")]);
  });

  it("sends nothing when another process takes over, and counts from its first failure", async () => {
    const { at, data, discord, begin, turnTo } = await watching();
    const standby = begin();
    await at("06:40", {});
    data.forget();
    data.isInTurn = false;
    turnTo("07:05");
    await standby.tick();
    data.isInTurn = true;
    data.mayAsk = false;
    for (const time of ["07:06", "07:21"]) {
      turnTo(time);
      await standby.tick();
      expect(discord.messages).toEqual([]);
    }
    turnTo("07:22");
    await standby.tick();
    expect(discord.messages).toHaveLength(1);
  });

  it("reports nothing about a morning when the bot was offline, but finishes a message that it had begun", async () => {
    const away = await watching();
    expect(await away.at("09:00", {})).toEqual([]);
    await away.at("09:01");
    expect((await away.database.watches.get("watch001"))?.state).toBe("ended");
    const { at } = await watching({ changed: { what: watchedCommute() } });
    await at("07:00", LATE);
    expect(await at("18:00", {})).toEqual([expect.stringContaining("all for today")]);
  });

  it("edits its message again after an edit whose answer was lost, even back to the earlier text", async () => {
    const { at, discord } = await watching();
    const told = await at("07:00", LATE);
    discord.fault = always("edit", "answer-lost");
    await at("07:01", { late: 20 });
    discord.fault = () => undefined;
    expect(await at("07:02", LATE)).toEqual(told);
  });

  it("does not post again if somebody deleted its message", async () => {
    const { at, discord, database } = await watching(CHANNEL);
    await at("07:00", LATE);
    discord.fault = always("edit", "message-gone");
    await at("07:01", { late: 20 });
    await at("07:02", { state: "cancelled" });
    expect(discord.calls).toEqual(["post c1", "edit c1"]);
    await at("07:40");
    await at("07:41");
    expect((await database.watches.get("watch001"))?.state).toBe("ended");
  });

  it("sends nothing while it is paused, and then continues in the same message", async () => {
    const { at, discord, database } = await watching();
    await at("07:00", LATE);
    const change = (from: "active" | "paused", state: "active" | "paused") =>
      database.watches.changeState("watch001", [from], { state });
    await change("active", "paused");
    await at("07:05", { state: "cancelled" });
    expect(discord.calls).toEqual(["post 7"]);
    await change("paused", "active");
    expect(await at("07:06")).toEqual([expect.stringContaining("**Cancelled**")]);
  });

  it("ends hours after its train even while it is paused", async () => {
    const { at, database, ...world } = await watching({ state: "paused" });
    await world.add("watch002", { state: "paused", changed: { what: watchedCommute() } });
    await at("11:30", {});
    expect((await database.watches.get("watch001"))?.state).toBe("paused");
    await at("11:32", {});
    expect(await database.watches.get("watch001")).toMatchObject({
      state: "ended",
      stateAtMs: todayMs("11:32"),
    });
    expect((await database.watches.get("watch002"))?.state).toBe("paused");
  });

  it("of a scheduled bus reports only trouble with that bus", async () => {
    const bus = { mode: "bus" as const };
    const { at } = await watching({ changed: { what: watchedTrain(bus) } });
    expect(await at("07:00", bus)).toEqual([]);
    expect(await at("07:01", { ...bus, ...LATE })).toEqual([expect.stringContaining("**9 min late**")]);
  });
});

describe("news that is worse than what the message first said", () => {
  const PINGED = { changed: { ping: true } } as const;
  const CANCELLED = { state: "cancelled" } as const;
  /** The texts of the messages that still exist, and how many messages made a sound. */
  const summaryOf = ({ messages }: { readonly messages: readonly FakeMessage[] }) => ({
    texts: messages.filter(({ isDeleted }) => !isDeleted).map(({ reply }) => wordsOf(reply)),
    sounds: messages.filter(({ silent }) => !silent).length,
  });

  it("makes one more sound, in a message that replaces the first", async () => {
    const { at, discord } = await watching({ ...CHANNEL, ...PINGED });
    await at("06:50", LATE);
    await at("07:10", CANCELLED);
    const words = `${HEAD}\n**Cancelled**.\nI don't see one that runs in the next hour or two; \`/journey\` may find another way.\n-# <@7>\n${BUTTONS}`;
    expect(summaryOf(discord)).toEqual({ texts: [words], sounds: 2 });
    expect(discord.calls).toEqual(["post c1", "edit c1", "post c1", "delete c1"]);
    await at("07:15", { late: 0 });
    await at("07:16", CANCELLED);
    await at("07:17", { mode: "bus" });
    expect(summaryOf(discord).sounds).toBe(2);
    await at("07:32", { time: "07:45", trainUid: "C00002" });
    expect(summaryOf(discord)).toEqual({ texts: [expect.stringMatching(/watch is over/)], sounds: 2 });
  });

  it("is an edit if the watch makes no sound or the first message already said it", async () => {
    const quiet = await watching();
    await quiet.at("06:50", LATE);
    await quiet.at("07:10", CANCELLED);
    expect(summaryOf(quiet.discord).sounds).toBe(0);
    expect(quiet.discord.messages).toHaveLength(1);
    const told = await watching(PINGED);
    await told.at("06:50", CANCELLED);
    await told.at("07:00", LATE);
    await told.at("07:10", CANCELLED);
    expect(summaryOf(told.discord).sounds).toBe(1);
    expect(told.discord.messages).toHaveLength(1);
    const early = await watching(PINGED);
    await early.at("06:45", { late: 0 });
    await early.at("06:50", { platform: "9" });
    await early.at("07:24", { platform: "9" });
    expect(summaryOf(early.discord)).toMatchObject({
      texts: [expect.stringContaining("instead of 4")],
      sounds: 1,
    });
  });

  it("may be another platform in the last minutes before a single watched train", async () => {
    const moved = { ...LATE, platform: "9" };
    const { at, discord } = await watching(PINGED);
    await at("06:50", LATE);
    await at("07:23", moved);
    expect(summaryOf(discord).sounds).toBe(1);
    await at("07:24", moved);
    expect(summaryOf(discord)).toMatchObject({ texts: [expect.stringContaining("instead of 4")], sounds: 2 });
    await at("07:26", { ...LATE, platform: "10" });
    expect(summaryOf(discord).sounds).toBe(2);
    await at("07:28", CANCELLED);
    expect(summaryOf(discord)).toMatchObject({ texts: [expect.stringContaining("Cancelled")], sounds: 3 });
    const commuting = await watching({ changed: { ping: true, what: watchedCommute() } });
    await commuting.at("07:00", LATE);
    await commuting.at("07:25", moved);
    expect(summaryOf(commuting.discord).sounds).toBe(1);
    await commuting.at("07:28", CANCELLED);
    expect(summaryOf(commuting.discord).sounds).toBe(2);
  });

  it("is not sent if somebody deleted the message", async () => {
    const { at, discord } = await watching({ ...CHANNEL, ...PINGED });
    await at("06:50", LATE);
    discord.fault = always("edit", "message-gone");
    await at("07:10", CANCELLED);
    await at("07:11");
    expect(summaryOf(discord).sounds).toBe(1);
  });

  it.each<[Verb, Fault]>([
    ["post", "dies-before"],
    ["post", "dies-after"],
    ["post", "answer-lost"],
    ["post", "unavailable"],
    ["delete", "dies-before"],
    ["delete", "dies-after"],
    ["delete", "answer-lost"],
    ["delete", "unavailable"],
  ])("is sent once if the %s meets the fault %s", async (verb, fault) => {
    const { at, discord, begin, clock } = await watching(PINGED);
    await at("06:50", LATE);
    let left: Fault | undefined = fault;
    discord.fault = (called) => {
      const now = called === verb ? left : undefined;
      left = now === undefined ? left : undefined;
      return now;
    };
    await at("07:10", CANCELLED);
    expect(left).toBeUndefined();
    const life = begin();
    for (let ticks = 0; ticks < 6; ticks += 1) {
      clock.advance(10_000);
      await life.tick();
    }
    expect(summaryOf(discord)).toMatchObject({ texts: [expect.stringContaining("Cancelled")], sounds: 2 });
  });

  it("is an edit if an earlier version of the bot posted the message without recording what it said", async () => {
    const { at, discord, database } = await watching(PINGED);
    await at("06:50", CANCELLED);
    const [row] = await database.incidents.ofWatch("watch001");
    const { alarms: _alarms, ...knowledge } = parseKnowledge(row?.knowledge ?? "");
    expect(_alarms).toEqual([["cancelled"]]);
    await database.incidents.finish(
      { watchId: "watch001", day: "2026-11-21", revision: row?.revision ?? 0 },
      { knowledge: serialiseKnowledge(knowledge) },
    );
    await at("06:51", { mode: "bus" });
    expect(summaryOf(discord).sounds).toBe(1);
  });

  it("keeps updating the first message if Discord refuses another", async () => {
    const { at, discord } = await watching(PINGED);
    await at("06:50", LATE);
    discord.fault = always("post", "refused");
    await at("07:10", CANCELLED);
    discord.fault = () => undefined;
    expect(await at("07:11", { late: 0 })).toEqual([expect.stringContaining("Back to normal")]);
    await at("07:12", CANCELLED);
    expect(summaryOf(discord)).toMatchObject({ texts: [expect.stringContaining("Cancelled")], sounds: 1 });
  });

  it("is part of the first message if that is posted only on a later attempt", async () => {
    const { at, discord, begin, clock } = await watching(PINGED);
    discord.fault = always("post", "dies-before");
    await at("06:50", LATE);
    discord.fault = () => undefined;
    const life = begin();
    await at("07:10", CANCELLED);
    for (let ticks = 0; ticks < 6; ticks += 1) {
      clock.advance(10_000);
      await life.tick();
    }
    expect(summaryOf(discord)).toMatchObject({ texts: [expect.stringContaining("Cancelled")], sounds: 1 });
  });

  it("makes a sound if an attempt whose answer was lost had posted milder news", async () => {
    const { at, discord } = await watching(PINGED);
    discord.fault = always("post", "answer-lost");
    await at("06:50", LATE);
    discord.fault = () => undefined;
    await at("07:10", CANCELLED);
    await at("07:11");
    await at("07:12");
    expect(summaryOf(discord)).toMatchObject({ texts: [expect.stringContaining("Cancelled")], sounds: 2 });
  });

  it("leaves the first message if it cannot be deleted", async () => {
    const { at, discord } = await watching(PINGED);
    await at("06:50", LATE);
    discord.fault = always("delete", "not-allowed");
    await at("07:10", CANCELLED);
    await at("07:11");
    expect(summaryOf(discord)).toMatchObject({ texts: [{}, {}], sounds: 2 });
  });

  it("is not sent twice if the train recovers before the outcome of sending it is known", async () => {
    const { at, discord, begin, clock } = await watching(PINGED);
    await at("06:50", LATE);
    discord.fault = always("post", "happens-late");
    await at("07:10", CANCELLED);
    discord.fault = () => undefined;
    const life = begin();
    await at("07:10", LATE);
    for (let ticks = 0; ticks < 20; ticks += 1) {
      clock.advance(10_000);
      await life.tick();
    }
    expect(summaryOf(discord)).toMatchObject({ texts: [expect.stringContaining("9 min late")], sounds: 2 });
    await at("07:20", CANCELLED);
    expect(summaryOf(discord)).toMatchObject({ texts: [expect.stringContaining("Cancelled")], sounds: 2 });
  });

  it("that did not arrive is searched for in the first minutes only, and sent when it comes again", async () => {
    const { at, clock, discord, life } = await watching(PINGED);
    await at("06:45", LATE);
    discord.failOnce("post", "outcome-unknown");
    await at("06:50", CANCELLED);
    await at("06:51", { late: 0 });
    for (let ticks = 0; ticks < 20; ticks += 1) {
      clock.advance(10_000);
      await life.tick();
    }
    const { length } = discord.calls;
    await at("06:56");
    expect(discord.calls).toHaveLength(length);
    await at("06:58", CANCELLED);
    expect(summaryOf(discord)).toMatchObject({ texts: [expect.stringContaining("Cancelled")], sounds: 2 });
  });

  it.each([
    ["after the first message", {}],
    [
      "while that was being sent",
      { channelId: undefined, messageId: undefined, postingSinceMs: todayMs("06:50") },
    ],
  ])("is found and not sent again after a backup from %s is restored", async (_when, backup) => {
    const { at, clock, database, discord } = await watching(PINGED);
    await at("06:50", LATE);
    const [backedUp] = await database.incidents.ofWatch("watch001");
    await at("07:10", CANCELLED);
    const [now] = await database.incidents.ofWatch("watch001");
    if (backedUp === undefined || now === undefined) {
      throw new Error("no incident is stored");
    }
    const { knowledge, channelId, messageId, shownHash } = backedUp;
    await database.incidents.finish(now, { knowledge, channelId, messageId, shownHash, ...backup });
    const log = createLog({ level: "silent", secrets: [] });
    await prepareRestoredWatches(database, { sinceMs: todayMs("06:55"), nowMs: clock.now(), log });
    await at("07:12");
    await at("07:16");
    await at("07:17", { late: 0 });
    expect(summaryOf(discord)).toMatchObject({
      texts: [expect.stringContaining("Back to normal")],
      sounds: 2,
    });
  });
});

describe("a commute", () => {
  const commute = { changed: { what: watchedCommute() } };

  it("reports all of its trains in one message a day, each from its lead time on", async () => {
    const { at, discord, database, clock, data, life } = await watching(commute);
    const second = { time: "08:30", trainUid: "C00002", late: 30, place: "Hull" };
    const outside = { time: "09:01", trainUid: "C00003", late: 30 };
    expect(await at("06:30", {}, second, outside)).toEqual([]);
    const head = "### York → Leeds, 07:00–09:00, Sat 21 Nov";
    expect(await at("07:31", LATE, second, outside)).toEqual([
      `${head}\n**07:30 to Leeds** · **9 min late**, expected at **07:39** from platform 4\n**08:30 to Hull** · **30 min late**, expected at **09:00** from platform 4\n${BUTTONS}`,
    ]);
    expect(await at("07:40", { ...second, state: "cancelled" }, outside)).toEqual([
      `${head}\n-# 07:30 to Leeds · it has left, 9 min late from platform 4\n~~**08:30 to Hull**~~ · **Cancelled** · next: **09:01** to Leeds, 30 min late from platform 4\n${BUTTONS}`,
    ]);
    expect(await at("07:50", { ...second, late: 0 }, outside)).toEqual([
      `${head}\n-# 07:30 to Leeds · it has left, 9 min late from platform 4\n**08:30 to Hull** · ✅ back to normal, on time from platform 4\n${BUTTONS}`,
    ]);
    await at("09:06", outside);
    const tomorrow = todayMs("06:00") + 24 * 60 * 60_000;
    await at("09:07", outside);
    expect(await database.watches.get("watch001")).toMatchObject({ state: "active", nextAtMs: tomorrow });
    expect(discord.messages).toHaveLength(1);
    clock.advance(tomorrow + 60 * 60_000 - clock.now());
    data.rows = [
      trainRow({ aimedAt: trainRow().aimedAt.add({ hours: 24 }), startDate: "2026-11-22", late: 9 }),
    ];
    await life.tick();
    expect(discord.messages).toHaveLength(2);
  });

  it("reports buses if no trains run, but not buses beside trains", async () => {
    const bus = { mode: "bus" as const, trainUid: "B00001", time: "07:40" };
    const beside = await watching(commute);
    expect(await beside.at("07:00", {}, bus)).toEqual([]);
    const instead = await watching(commute);
    expect(await instead.at("07:00", bus)).toEqual([
      expect.stringContaining("**07:40 to Leeds** · 🚌 **A bus runs instead** at 07:40"),
    ]);
  });
});

describe("a clock that was far ahead and is right again", () => {
  it("does not make a watch ignore newer answers until that time", async () => {
    const world = await watchWorld();
    const { begin, data, discord } = world;
    await world.add("train001");
    const life = begin();
    data.rows = [trainRow({ late: 1 })];
    world.turnTo("07:25");
    await life.tick();
    data.forget();
    data.rows = [trainRow({ late: 9 })];
    world.turnTo("06:45");
    await life.tick();
    expect(discord.messages).toHaveLength(1);
  });

  it.each(["the same process", "the next process"])(
    "does not end or postpone a watch for good (%s)",
    async (when) => {
      const world = await watchWorld();
      const { begin, data, discord } = world;
      await world.add("train001");
      await world.add("comm0001", { changed: { what: watchedCommute() } });
      let life = begin();
      const tickAt = async (time: string): Promise<void> => {
        world.turnTo(time);
        await life.tick();
      };
      await tickAt("06:31");
      data.rows = [];
      await tickAt("23:00");
      await tickAt("23:02");
      life = when === "the same process" ? life : begin();
      data.forget();
      await tickAt("06:40");
      expect(discord.messages).toEqual([]);
      data.rows = [trainRow({ late: 9 })];
      await tickAt("06:45");
      expect(discord.messages).toHaveLength(2);
    },
  );
});

describe("a watch that cannot send its message", () => {
  const NOTICE =
    /^<@7>, I can't send you direct messages, so one of your watches is paused[^]*\[Resume\] \[Stop\]$/;

  it("is paused if its owner accepts no direct messages, with one notice in the channel of the request", async () => {
    const { at, discord, database } = await watching();
    discord.closed.add("7");
    expect(await at("07:00", LATE)).toEqual([expect.stringMatching(NOTICE)]);
    expect(await at("07:10")).toHaveLength(1);
    expect(discord.messages).toMatchObject([{ channelId: "11", silent: true }]);
    expect(await database.watches.get("watch001")).toMatchObject({
      state: "paused",
      pausedBecause: "dm-closed",
    });
    discord.closed.clear();
    await database.watches.changeState("watch001", ["paused"], { state: "active", stateAtMs: 1 });
    expect(await at("07:11")).toEqual([expect.anything(), expect.stringContaining("9 min late")]);
  });

  it.each<Fault>(["dies-before", "dies-after", "answer-lost"])(
    "sends exactly one notice if sending it %s",
    async (fault) => {
      const { at, discord, begin, clock, database } = await watching();
      discord.closed.add("7");
      let left: Fault | undefined = fault;
      discord.fault = (verb, channelId) => {
        const now = verb === "post" && channelId === "11" ? left : undefined;
        left = now === undefined ? left : undefined;
        return now;
      };
      await at("07:00", LATE);
      clock.advance(60_000);
      await begin().tick();
      expect(discord.messages).toHaveLength(1);
      expect((await database.watches.get("watch001"))?.state).toBe("paused");
    },
  );

  it.each([
    ["channel-gone", /its channel is gone/],
    ["not-allowed", /no longer allowed to write in <#c1>/],
  ] as const)(
    "is paused if its channel answers %s, with a direct message to its owner",
    async (problem, words) => {
      const { at, discord, database } = await watching(CHANNEL);
      discord.fault = (verb, channelId) => (verb === "post" && channelId === "c1" ? problem : undefined);
      expect(await at("07:00", LATE)).toEqual([expect.stringMatching(words)]);
      expect(discord.messages[0]?.channelId).toBe("7");
      expect(await database.watches.get("watch001")).toMatchObject({ pausedBecause: problem });
    },
  );

  it("finds the message whose answer was lost before the watch was paused", async () => {
    const { at, discord, database } = await watching(CHANNEL);
    discord.fault = always("post", "answer-lost");
    await at("06:50", LATE);
    discord.fault = always("ownMessages", "not-allowed");
    await at("06:51");
    expect((await database.watches.get("watch001"))?.state).toBe("paused");
    discord.fault = () => undefined;
    await database.watches.changeState("watch001", ["paused"], { state: "active", stateAtMs: 1 });
    await at("07:01");
    expect(discord.messages.filter(({ channelId }) => channelId === "c1")).toHaveLength(1);
  });

  it("waits if the bot is timed out for no more than an hour", async () => {
    const { at, discord, database } = await watching(CHANNEL);
    discord.fault = (verb, channelId) => (verb === "post" && channelId === "c1" ? "not-allowed" : undefined);
    discord.timedOutUntilMs = todayMs("08:00");
    expect(await at("07:00", LATE)).toEqual([]);
    expect((await database.watches.get("watch001"))?.state).toBe("active");
    discord.fault = () => undefined;
    expect(await at("07:02")).toEqual([expect.stringContaining("9 min late")]);
  });

  it.each([todayMs("08:01"), Number.NaN])(
    "is paused with a notice if the bot is timed out for longer (%d)",
    async (untilMs) => {
      const { at, discord, database } = await watching(CHANNEL);
      discord.fault = (verb, channelId) =>
        verb === "post" && channelId === "c1" ? "not-allowed" : undefined;
      discord.timedOutUntilMs = untilMs;
      expect(await at("07:00", LATE)).toEqual([expect.stringContaining("is paused")]);
      expect(await database.watches.get("watch001")).toMatchObject({ pausedBecause: "not-allowed" });
    },
  );

  it("waits if the bot is no longer in its server, and continues when it is back", async () => {
    const { at, discord, database } = await watching(CHANNEL);
    discord.left.add("1");
    discord.fault = always("post", "channel-gone");
    expect(await at("07:00", LATE)).toEqual([]);
    expect((await database.watches.get("watch001"))?.state).toBe("active");
    discord.left.clear();
    discord.fault = () => undefined;
    expect(await at("07:02")).toEqual([expect.stringContaining("9 min late")]);
  });

  it("is paused if one of its stations has closed", async () => {
    const { at, database } = await watching({ changed: { what: watchedTrain({ to: "XXX" }) } });
    expect(await at("07:00", LATE)).toEqual([
      expect.stringMatching(/no longer have times for one of its stations/),
    ]);
    expect(await database.watches.get("watch001")).toMatchObject({ pausedBecause: "station-closed" });
  });

  it("is paused even if nobody can be told", async () => {
    const { at, discord, database } = await watching({ askedChannelId: undefined });
    discord.closed.add("7");
    expect(await at("07:00", LATE)).toEqual([]);
    expect((await database.watches.get("watch001"))?.state).toBe("paused");
  });
});

it("finds the message that was sent after a restored backup, and sends no second one", async () => {
  const { at, clock, database, discord, turnTo } = await watching();
  await at("06:50", LATE);
  // The state in a backup of 06:45.
  const none = {
    channelId: undefined,
    messageId: undefined,
    shownHash: undefined,
    postingSinceMs: undefined,
  };
  for (const row of await database.incidents.ofWatch("watch001")) {
    await database.incidents.finish(row, none);
  }
  turnTo("07:05");
  const log = createLog({ level: "silent", secrets: [] });
  await prepareRestoredWatches(database, { sinceMs: todayMs("06:45"), nowMs: clock.now(), log });
  await at("07:06", { late: 12 });
  expect(await at("07:07", { late: 14 })).toEqual([expect.stringContaining("14 min late")]);
  expect(discord.messages).toHaveLength(1);
});

it("restores watches although the state of one cannot be parsed, and continues in the same messages", async () => {
  const { at, clock, database, discord, ...world } = await watching({ changed: { ping: true } });
  await world.add("watch002", { ownerId: "8" });
  await at("06:50", LATE);
  const [broken] = await database.incidents.ofWatch("watch001");
  if (broken === undefined) {
    throw new Error("no incident is stored");
  }
  await database.incidents.finish(broken, { knowledge: "not JSON" });
  const log = createLog({ level: "silent", secrets: [] });
  await prepareRestoredWatches(database, { sinceMs: todayMs("06:55"), nowMs: clock.now(), log });
  await at("07:06", { late: 12 });
  expect(await at("07:07", { late: 14 })).toEqual([
    expect.stringContaining("14 min late"),
    expect.stringContaining("14 min late"),
  ]);
  expect(discord.messages).toHaveLength(2);
});

describe("the questions of watches", () => {
  it("are asked once for all watches, and only within their time", async () => {
    const { at, data, ...world } = await watching();
    await world.add("watch002", { ownerId: "8" });
    await world.add("watch003", { changed: { what: watchedTrain({ to: undefined }) } });
    await at("06:25", {});
    expect(data.asked).toEqual([]);
    await at("06:30", {});
    expect(data.asked.toSorted()).toEqual(["departures:YRK", "departures:YRK:LDS"]);
    const [spans] = data.watched.at(-1)?.filter(({ question }) => question.via === "LDS") ?? [];
    expect(spans?.spans).toEqual(
      Array.from({ length: 2 }, () => ({ fromMs: todayMs("06:30"), toMs: todayMs("07:35") })),
    );
  });
});

it("reports a late train although maintenance fails", async () => {
  const { at, data } = await watching();
  data.data.watch = () => {
    throw new Error("one odd watch");
  };
  expect(await at("06:50", LATE)).toEqual([expect.stringContaining("9 min late")]);
});
