// Tests watches of the railway's disruptions. Each disruption has one message, which finally says that it is over.
import { describe, expect, it } from "vitest";
import type { NetworkEntry } from "../../src/sources/transport-data.ts";
import { parseWatchSettings } from "../../src/watches/watches.ts";
import type { WatchedNetwork } from "../../src/watches/watches.ts";
import { ukTime } from "../support/boards.ts";
import { type AddedWatch, watchWorld, wordsOf } from "../support/watch-world.ts";
import { watchSettings } from "../support/watches.ts";

const ALL: WatchedNetwork = { kind: "network" };

function entry(name: string, changed: Partial<NetworkEntry> = {}): NetworkEntry {
  return {
    mode: "train",
    name,
    state: "Good service",
    description: undefined,
    isDisrupted: changed.state !== undefined,
    from: undefined,
    until: undefined,
    ...changed,
  };
}

const ALL_WELL = [entry("Northern"), entry("LNER"), entry("Hull Trains"), entry("ScotRail")];
const delayed = (name: string) => entry(name, { state: "MINOR DELAYS", description: "A *tree* near York." });
const [NORTHERN, LNER, HULL, SCOTRAIL] = [
  delayed("Northern"),
  delayed("LNER"),
  delayed("Hull Trains"),
  delayed("ScotRail"),
];

/** The entries of all operators: good service except for these. */
function allWellExcept(...entries: readonly NetworkEntry[]): readonly NetworkEntry[] {
  return [...ALL_WELL.filter(({ name }) => !entries.some((other) => other.name === name)), ...entries];
}

async function watching(added: AddedWatch = {}) {
  const world = await watchWorld();
  await world.add("watch001", { changed: { what: ALL }, ...added });
  let life = world.begin();
  return {
    ...world,
    restart: () => void (life = world.begin()),
    /** Advances the clock by this many hours, sets the operators' entries, and ticks; returns the text of every message. */
    after: async (hours: number, entries: readonly NetworkEntry[]): Promise<readonly string[]> => {
      world.clock.advance(hours * 3_600_000);
      world.railway.entries = [...entries];
      await life.tick();
      return world.discord.messages.map(({ reply }) => wordsOf(reply));
    },
    /** Sets the clock and, if given, the operators' entries, and ticks; returns the text of every message. */
    at: async (time: string, entries?: readonly NetworkEntry[]): Promise<readonly string[]> => {
      world.turnTo(time);
      world.railway.entries = [...(entries ?? world.railway.entries)];
      await life.tick();
      return world.discord.messages.map(({ reply }) => wordsOf(reply));
    },
  };
}

const BUTTONS = "[Pause] [Stop]";
const TREE = String.raw`A \*tree\* near York.`;
const ONGOING = `### Northern\n⚠️ **Minor delays**\n${TREE}\n${BUTTONS}`;
const OVER = `### Northern\n✅ **Over since 07:20**\n-# Minor delays · ${TREE}`;

describe("a disruption", () => {
  it("is reported once, is edited as the operator's report changes, and is over when two answers lack it", async () => {
    const { at, discord } = await watching();
    expect(await at("06:30", ALL_WELL)).toEqual([]);
    expect(await at("07:00", allWellExcept(NORTHERN))).toEqual([ONGOING]);
    expect(await at("07:01")).toEqual([ONGOING]);
    const worse = entry("Northern", { state: "Severe delays", description: NORTHERN.description });
    expect(await at("07:10", allWellExcept(worse))).toEqual([ONGOING.replace("Minor", "Severe")]);
    expect(await at("07:20", allWellExcept(LNER, NORTHERN))).toEqual([
      ONGOING,
      ONGOING.replace("Northern", "LNER"),
    ]);
    const { length } = discord.calls;
    expect(await at("09:00")).toEqual([ONGOING, ONGOING.replace("Northern", "LNER")]);
    expect(discord.calls).toHaveLength(length);
    expect((await at("09:20", ALL_WELL))[0]).toBe(ONGOING);
    expect((await at("09:21"))[0]).toBe(OVER.replace("07:20", "09:20"));
    expect(discord.messages).toMatchObject([{ silent: true }, { silent: true }]);
  });

  it("is not mistaken for another one whose message was sent a minute before", async () => {
    const { at, discord } = await watching();
    await at("07:00", allWellExcept(NORTHERN));
    discord.failOnce("post", "outcome-unknown");
    await at("07:01", allWellExcept(NORTHERN, LNER));
    expect(await at("07:02")).toEqual([ONGOING, ONGOING.replace("Northern", "LNER")]);
  });

  it("is written to the database only when something about it changes", async () => {
    const { at, database } = await watching();
    await at("07:00", allWellExcept(NORTHERN));
    const written = await database.incidents.ofWatch("watch001");
    await at("07:10");
    expect(await database.incidents.ofWatch("watch001")).toEqual(written);
  });

  it("updates its message if it soon returns, and gets a new one if it returns later", async () => {
    const { at, database } = await watching();
    await at("07:00", allWellExcept(NORTHERN));
    await at("07:20", ALL_WELL);
    expect(await at("07:21")).toEqual([OVER]);
    expect(await at("07:40", allWellExcept(NORTHERN))).toEqual([ONGOING]);
    await at("07:50", ALL_WELL);
    await at("07:51");
    await at("08:21");
    expect(await database.incidents.ofWatch("watch001")).toMatchObject([{ closedAtMs: expect.any(Number) }]);
    expect(await at("08:30", allWellExcept(NORTHERN))).toEqual([OVER.replace("07:20", "07:50"), ONGOING]);
  });

  it("gets a new message on the next day, when the earlier incident has been deleted", async () => {
    const { at, after, database } = await watching();
    await at("07:00", allWellExcept(NORTHERN));
    await at("07:20", ALL_WELL);
    await at("07:21");
    await at("08:00");
    await after(26, ALL_WELL);
    expect(await database.incidents.ofWatch("watch001")).toEqual([]);
    await after(1, allWellExcept(LNER));
    expect(await after(1, allWellExcept({ ...LNER, state: "Severe delays" }))).toEqual([
      OVER,
      expect.stringMatching(/^### LNER\n⚠️ \*\*Severe delays/),
    ]);
  });

  it("survives restarts, failures of the source, and answers without its operator", async () => {
    const { at, restart, railway, discord } = await watching();
    await at("07:00", allWellExcept(NORTHERN));
    restart();
    railway.forget();
    railway.isAway = true;
    expect(await at("07:05")).toEqual([ONGOING]);
    railway.isAway = false;
    expect(await at("07:06", [entry("LNER")])).toEqual([ONGOING]);
    expect(await at("07:07")).toEqual([ONGOING]);
    railway.isAway = true;
    expect(await at("07:30")).toEqual([ONGOING]);
    railway.isAway = false;
    expect(await at("07:40", allWellExcept(NORTHERN))).toEqual([ONGOING]);
    expect(await at("07:50", ALL_WELL)).toEqual([ONGOING]);
    restart();
    expect(await at("07:51")).toEqual([expect.stringContaining("✅ **Over since 07:50**")]);
    expect(discord.messages).toHaveLength(1);
  });

  it("is one if several operators report the same incident, and two if one operator reports two", async () => {
    const { at } = await watching();
    const tree = { state: "Minor delays", incident: "A1" };
    const snow = { state: "Minor delays", incident: "B2", description: "Snow." };
    expect(
      await at("07:00", allWellExcept(entry("Northern", tree), entry("Northern", snow), entry("LNER", tree))),
    ).toEqual([
      `### Northern and LNER\n⚠️ **Minor delays**\n${BUTTONS}`,
      `### Northern\n⚠️ **Minor delays**\nSnow.\n${BUTTONS}`,
    ]);
    await at("07:20", allWellExcept(entry("Northern", snow)));
    expect((await at("07:21")).map((text) => text.includes("Over since"))).toEqual([true, false]);
  });

  it("shares a message with others if many begin at once, as when a watch begins", async () => {
    const { at } = await watching();
    const line = (name: string) => `⚠️ **${name}** · Minor delays · ${TREE}`;
    const all = [NORTHERN, LNER, HULL, SCOTRAIL];
    const HEAD = "### Railway disruptions";
    expect(await at("07:00", all)).toEqual([
      [HEAD, ...all.map(({ name }) => line(name)), BUTTONS].join("\n"),
    ]);
    const more = entry("Lumo", { state: "Severe delays" });
    await at("07:20", [...allWellExcept(HULL, SCOTRAIL), more]);
    expect(await at("07:21")).toEqual([
      [
        HEAD,
        line("Hull Trains"),
        line("ScotRail"),
        "~~Northern~~ · ✅ **Over since 07:20**",
        "~~LNER~~ · ✅ **Over since 07:20**",
        BUTTONS,
      ].join("\n"),
      `### Lumo\n⚠️ **Severe delays**\n${BUTTONS}`,
    ]);
    await at("07:30", [...ALL_WELL, entry("Lumo")]);
    expect((await at("07:31"))[0]).toMatch(
      /^### Railway disruptions\n✅ \*\*All of these are over\.\*\*\n~~/,
    );
  });

  it("is left out if the watch is for another operator, or if it is planned for later, is over, or not about trains", async () => {
    const { at } = await watching({ changed: { what: { ...ALL, operator: "LNER" }, ping: true } });
    const ahead = { ...LNER, from: ukTime("2026-11-21 23:00") };
    const past = { ...LNER, until: ukTime("2026-11-21 06:59") };
    expect(
      await at("07:00", allWellExcept(NORTHERN, ahead, past, entry("LNER", { ...LNER, mode: "bus" }))),
    ).toEqual([]);
    const other = entry("London North Eastern Railway", { state: "Severe delays" });
    expect(await at("07:10", allWellExcept(NORTHERN, other))).toEqual([
      `### LNER\n⚠️ **Severe delays**\n${BUTTONS}`,
    ]);
  });

  it("is not posted again if somebody deleted its message", async () => {
    const { at, discord } = await watching();
    await at("07:00", allWellExcept(NORTHERN));
    const [message] = discord.messages;
    if (message) {
      message.isDeleted = true;
    }
    await at("07:10", allWellExcept({ ...NORTHERN, state: "Severe delays" }));
    await at("07:20");
    expect(discord.messages).toHaveLength(1);
  });
});

describe("a watch of the railway's disruptions", () => {
  it("is paused, with a notice, if no source has them any more", async () => {
    const { at, railway, restart, database } = await watching();
    railway.isOff = true;
    restart();
    expect(await at("07:10")).toEqual([
      expect.stringMatching(
        /^Your watch for \*\*railway disruptions\*\* is paused: I can't follow the railway's disruptions any more\./,
      ),
    ]);
    expect(await database.watches.get("watch001")).toMatchObject({ state: "paused" });
  });

  it("never ends, even while it is paused", async () => {
    const { at, database } = await watching();
    await at("07:00", ALL_WELL);
    await database.watches.changeState("watch001", ["active"], { state: "paused" });
    await at("09:00");
    expect(await database.watches.get("watch001")).toMatchObject({ state: "paused" });
  });

  it("is parsed unchanged from JSON", () => {
    for (const what of [ALL, { ...ALL, operator: "Northern" }]) {
      const settings = watchSettings({ what });
      expect(parseWatchSettings(JSON.stringify(settings))).toEqual(settings);
    }
  });
});
