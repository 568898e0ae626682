// Tests watches of a line, which have one message a day. It is edited during the hours and closed after them.
import { describe, expect, it } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { ServiceError, type ServiceErrorKind } from "../../src/core/errors.ts";
import { createAnswers } from "../../src/sources/answers.ts";
import type { NetworkEntry, TransportNetwork } from "../../src/sources/transport-data.ts";
import { createNetworkStatus } from "../../src/watches/network-status.ts";
import { prepareRestoredWatches } from "../../src/watches/prepare-restored.ts";
import { nextWindowMs, openWindows } from "../../src/watches/watch-days.ts";
import { parseWatchSettings } from "../../src/watches/watches.ts";
import type { WatchedLine } from "../../src/watches/watches.ts";
import { ukTime } from "../support/boards.ts";
import { createStillClock } from "../support/still-clock.ts";
import { type AddedWatch, watchWorld, wordsOf } from "../support/watch-world.ts";
import { todayMs, watchSettings } from "../support/watches.ts";

const MORNINGS: WatchedLine = {
  kind: "line",
  line: "victoria",
  hours: { from: "07:00", to: "09:00" },
  days: [6],
};

function entry(state: string, changed: Partial<NetworkEntry> = {}): NetworkEntry {
  return {
    line: "victoria",
    mode: "tube",
    name: "Victoria line",
    state,
    description: undefined,
    isDisrupted: state !== "Good Service",
    from: undefined,
    until: undefined,
    ...changed,
  };
}

const GOOD = entry("Good Service");
const SEVERE = entry("Severe Delays", { description: "Severe delays while we fix a signal at *Brixton*." });
const PART = entry("Part Suspended", { description: SEVERE.description });

async function watching(added: AddedWatch = {}) {
  const world = await watchWorld();
  await world.add("watch001", { changed: { what: MORNINGS }, ...added });
  let life = world.begin();
  return {
    ...world,
    restart: () => void (life = world.begin()),
    /** Sets the clock and, if given, the lines' entries, and ticks; returns the text of every message. */
    at: async (time: string, ...entries: readonly NetworkEntry[]): Promise<readonly string[]> => {
      world.turnTo(time);
      world.lines.entries = entries.length === 0 ? world.lines.entries : [...entries];
      await life.tick();
      return world.discord.messages.map(({ reply }) => wordsOf(reply));
    },
  };
}

const HEAD = "### Victoria line, 07:00–09:00, Sat 21 Nov";
const BUTTONS = "[Pause] [Stop]";
const REASON = String.raw`Severe delays while we fix a signal at \*Brixton\*.`;

describe("a watched line", () => {
  it("is reported in one message from the beginning to the end of its hours", async () => {
    const { at, discord, lines, database } = await watching({
      changed: { what: { ...MORNINGS, days: [2, 6, 1] }, ping: true },
    });
    expect(await at("06:58", SEVERE)).toEqual([]);
    expect(lines.asked).toBe(0);
    expect(await at("07:01", GOOD)).toEqual([]);
    expect(await at("07:02", entry("Minor Delays", { line: "central" }))).toEqual([]);
    expect(await at("07:10", SEVERE)).toEqual([`${HEAD}\n⚠️ **Severe delays**\n${REASON}\n${BUTTONS}`]);
    expect(await at("07:15", SEVERE, PART)).toEqual([
      `${HEAD}\n⚠️ **Severe delays and part suspended**\n${REASON}\n${BUTTONS}`,
    ]);
    expect(await at("07:40", GOOD)).toEqual([`${HEAD}\n✅ **Good service again.**\n${BUTTONS}`]);
    expect(await at("08:30", SEVERE)).toEqual([expect.stringContaining("Severe delays")]);
    expect(await at("09:02")).toEqual([
      `${HEAD}\n⚠️ **Severe delays**\n${REASON}\n-# That's all for today. I'll check again on Monday.\n${BUTTONS}`,
    ]);
    expect(await at("09:30", GOOD)).toEqual([expect.stringContaining("That's all for today")]);
    expect(discord.messages).toMatchObject([{ silent: false, channelId: "7", isDeleted: false }]);
    expect(await database.watches.get("watch001")).toMatchObject({ state: "active" });
  });

  it("continues in the same message after a restart, and while TfL cannot be asked", async () => {
    const { at, restart, lines, discord } = await watching();
    await at("07:10", SEVERE);
    restart();
    lines.forget();
    lines.isAway = true;
    expect(await at("07:11")).toEqual([expect.stringContaining("Severe delays")]);
    lines.isAway = false;
    expect(await at("07:20", GOOD)).toEqual([expect.stringContaining("Good service again")]);
    expect(await at("09:02")).toEqual([expect.stringContaining("That's all for today")]);
    expect(discord.messages).toHaveLength(1);
  });

  it("continues at once after a backup is restored, without a search for a second message", async () => {
    const { at, database, clock, discord } = await watching({ changed: { what: MORNINGS, ping: true } });
    await at("07:10", SEVERE);
    const log = createLog({ level: "silent", secrets: [] });
    await prepareRestoredWatches(database, { sinceMs: todayMs("07:12"), nowMs: clock.now(), log });
    expect(await at("07:20", GOOD)).toEqual([expect.stringContaining("Good service again")]);
    expect(discord.calls).toEqual(["post 7", "edit 7"]);
  });

  it("says nothing at night, when every line is closed, or if the answer leaves the line out", async () => {
    const { at } = await watching({ changed: { what: { ...MORNINGS, hours: undefined } } });
    expect(
      await at("06:30", entry("Service Closed", { description: "Train service resumes later." })),
    ).toEqual([]);
    expect(await at("07:10", SEVERE)).toHaveLength(1);
    expect(await at("07:11", entry("Good Service", { line: "central" }))).toEqual([
      expect.stringContaining("Severe delays"),
    ]);
  });

  it("is paused, with a notice, if London's lines are not configured", async () => {
    const { at, lines, restart, database } = await watching();
    lines.isOff = true;
    restart();
    expect(await at("07:10")).toEqual([
      expect.stringMatching(/^Your watch for \*\*Victoria line.*is paused: I can't follow London's lines/),
    ]);
    expect(await database.watches.get("watch001")).toMatchObject({ state: "paused" });
  });
});

describe("a line's days", () => {
  const ms = (text: string) => ukTime(text).epochMilliseconds;
  const days = (what: WatchedLine, at: string) =>
    openWindows(watchSettings({ what }), ms(at)).map(({ day, lastMs }) => [day, ms(at) <= lastMs]);

  it("are its hours without a lead time, or from 04:00 to 04:00 if it has none", () => {
    expect(nextWindowMs(watchSettings({ what: MORNINGS }), ms("2026-11-20 12:00"))).toBe(
      ms("2026-11-21 07:00"),
    );
    const always: WatchedLine = { ...MORNINGS, hours: undefined, days: [5] };
    expect(days(always, "2026-11-20 04:00")).toEqual([["2026-11-20", true]]);
    expect(days(always, "2026-11-21 03:59")).toEqual([["2026-11-20", true]]);
    expect(days(always, "2026-11-21 04:00")).toEqual([["2026-11-20", false]]);
  });

  it("are parsed unchanged from JSON", () => {
    for (const what of [MORNINGS, { ...MORNINGS, hours: undefined }]) {
      const settings = watchSettings({ what });
      expect(parseWatchSettings(JSON.stringify(settings))).toEqual(settings);
    }
  });
});

describe("the status of the lines", () => {
  it("is requested once per interval for all watches, even while the source fails, but hardly ever after an unauthorised answer", async () => {
    const clock = createStillClock();
    let isDown = false;
    let kind: ServiceErrorKind = "unavailable";
    let asked = 0;
    const network = async (): Promise<TransportNetwork> => {
      asked += 1;
      if (isDown) {
        throw new ServiceError("tfl", kind, "down");
      }
      return { basis: "status", dataAt: ukTime("2026-11-21 07:00"), entries: [GOOD] };
    };
    const answers = createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 });
    const log = createLog({ level: "silent", secrets: [] });
    const status = createNetworkStatus({ source: "tfl", client: { network }, answers, clock, log });

    expect(status.known()).toBeUndefined();
    for (const down of [false, true]) {
      isDown = down;
      for (let tick = 0; tick < 12; tick += 1) {
        await status.ask();
        clock.advance(10_000);
      }
    }
    expect(asked).toBe(4);
    expect(status.known()).toMatchObject({ entries: [GOOD] });
    expect(status.known()?.isOld).toBe(false);
    clock.advance(5 * 60_000);
    expect(status.known()?.isOld).toBe(true);
    clock.advance(3_600_000);
    expect(status.known()).toBeUndefined();

    isDown = false;
    const seldom = createNetworkStatus({
      source: "tfl",
      client: { network },
      everyMs: 20 * 60_000,
      answers,
      clock,
      log,
    });
    for (let tick = 0; tick < 40; tick += 1) {
      await seldom.ask();
      expect(seldom.known()?.isOld).toBe(false);
      clock.advance(60_000);
    }
    expect(asked).toBe(6);

    isDown = true;
    kind = "unauthorised";
    for (let tick = 0; tick < 60; tick += 1) {
      await status.ask();
      clock.advance(60_000);
    }
    expect(asked).toBe(7);
  });
});
