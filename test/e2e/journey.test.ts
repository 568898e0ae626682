// A member plans journeys: the real bot, logged in to the local Discord, asks the stand-in.
import { describe, expect, it } from "vitest";
import type { OptionInputs, SeenMessage } from "../../sandbox/discord/actors/member-types.ts";
import type { World } from "../../sandbox/world.ts";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";

reportChecks();

async function ask(world: World, options: OptionInputs) {
  return world.member("Ada").slash(world.channels.trains, "journey", options);
}

/** The values of a message's menu, in order. */
function choicesOf(message: SeenMessage): readonly string[] {
  return [...JSON.stringify(message.components).matchAll(/"value":"([^"]*)"/g)].map(
    ([, value]) => value ?? "",
  );
}

/** The departure times of the listed journeys. */
function departuresIn(text: string): readonly string[] {
  return [...text.matchAll(/^\**(?:[A-Z][a-z]{2} )?(\d\d:\d\d) → /gm)].map(([, time]) => time ?? "");
}

describe.each(["specification", "public"])("journeys in the %s dialect", (dialect) => {
  const env = { TRANSPORT_DIALECT: dialect };

  it("are listed with times, duration and changes, and the first one in full", async () => {
    await using world = await openCheckedWorld({ env });
    const answer = await ask(world, { from: "YRK", to: "Leeds" });
    expect(answer.message.ephemeral).toBe(false);
    expect(answer.text).toMatch(/York → Leeds/);
    expect(answer.text).toMatch(/\*\*17:\d\d → 1[78]:\d\d\*\* · \d+ min · direct/);
    expect(JSON.stringify(answer.message)).toMatch(/York to Leeds\. 17:\d\d York, /);
    const text = await world.member("Ada").click(answer.message, "Text");
    expect(text.text).toMatch(/> 🚆 .+ towards .+ · \d+ min\n\*\*1[78]:\d\d\*\* Leeds/);
    expect(answer.text).toMatch(/source: \[transportapi\.com\]/);
    expect(answer.message.pings).toEqual([]);
  });

  it("name the station of a change, and the train to change to", async () => {
    await using world = await openCheckedWorld({ env });
    const options = { from: "Hull", to: "Penzance", date: "tomorrow", time: "9am", view: "text" };
    const answer = await ask(world, options);
    expect(answer.text).toMatch(
      /\n\*\*\d\d:\d\d\*\* [A-Z].+\n-# Change, \d+ min\n\*\*\d\d:\d\d\*\* [A-Z].+\n> 🚆 .+ towards [A-Z]/,
    );
    expect(answer.text).not.toMatch(/not given|couldn't find out/);
    expect(world.transport.ledger.length).toBeLessThanOrEqual(9);
  });

  it("say that it is too late to arrive in time, and give the earliest arrival", async () => {
    await using world = await openCheckedWorld({ env });
    const answer = await ask(world, { from: "Scarborough", to: "Leeds", arrive_by: true, time: "18:00" });
    expect(answer.text).toMatch(
      /can't be in Leeds by 18:00 any more\.\*\* The earliest arrival is \d\d:\d\d, leaving 1[789]:\d\d\./,
    );
    expect(departuresIn(answer.text).every((time) => time >= "17:20")).toBe(true);
  });

  it("can be switched to another route, to later trains and to the return journey", async () => {
    await using world = await openCheckedWorld({ env });
    const ada = world.member("Ada");
    const asked = await ask(world, { from: "YRK", to: "LDS" });
    const [, second = ""] = choicesOf(asked.message);
    const other = await ada.select(asked.message, "Show another way…", [second]);
    expect(other.message.id).toBe(asked.message.id);
    expect(other.text).not.toBe(asked.text);
    expect(departuresIn(other.text)).toEqual(departuresIn(asked.text));
    // One request plans both journeys, and one board of York serves both.
    expect(world.transport.ledger.filter(({ path }) => /journey/.test(path))).toHaveLength(1);

    const later = await ada.click(other.message, "Later");
    expect((departuresIn(later.text)[0] ?? "") > (departuresIn(asked.text).at(-1) ?? "")).toBe(true);
    const back = await ada.click(later.message, "Return");
    expect(back.text).toMatch(/Leeds → York/);
    const earlier = await ada.click(back.message, "Earlier");
    expect(earlier.text).toMatch(/Leeds → York/);
  });

  it("arrive by the requested time", async () => {
    await using world = await openCheckedWorld({ env });
    const answer = await ask(world, {
      from: "YRK",
      to: "KGX",
      date: "tomorrow",
      time: "5pm",
      arrive_by: true,
    });
    expect(answer.text).toMatch(/Arriving by 17:00, Thu 19 Nov/);
    const arrivals = [...answer.text.matchAll(/^\**\d\d:\d\d → (\d\d:\d\d)/gm)].map(([, time]) => time ?? "");
    expect(arrivals.length).toBeGreaterThan(0);
    expect(arrivals.every((time) => time <= "17:00")).toBe(true);
  });

  it("continue past midnight", async () => {
    await using world = await openCheckedWorld({ env });
    const answer = await ask(world, { from: "YRK", to: "LDS", time: "23:30" });
    expect(answer.text).toMatch(/Leaving after 23:30, Wed 18 Nov/);
    expect(answer.text).toMatch(/Thu 0\d:\d\d/);
  });

  it("start and end at postcodes and coordinates, with walks", async () => {
    await using world = await openCheckedWorld({ env });
    const answer = await ask(world, { from: "YO24 1AB", to: "53.796,-1.547", view: "text" });
    expect(answer.text).toMatch(/YO24 1AB → /);
    expect(answer.text).toMatch(/🚶 Walk · \d+ min/);
    const stop = await ask(world, { from: "53.958,-1.093", to: "LDS" });
    expect(stop.text).toMatch(/→ Leeds/);
  });
});

describe("a journey", () => {
  it("asks which station a misspelt name means, without asking the service", async () => {
    await using world = await openCheckedWorld();
    const ada = world.member("Ada");
    const asked = await ask(world, { from: "Yrok", to: "Leeds" });
    expect(asked.message.ephemeral).toBe(true);
    expect(asked.text).toMatch(/^### Which one do you mean\?\n“Yrok” may be York \\\(YRK\\\), /);
    expect(world.transport.ledger).toHaveLength(0);
    const chosen = await ada.select(asked.message, "Where from…", ["YRK"]);
    expect(chosen.message.ephemeral).toBe(false);
    expect(chosen.text).toMatch(/York → Leeds/);
    expect(world.transport.ledger.filter(({ path }) => /places/.test(path))).toHaveLength(0);
  });

  it("asks about both ends, one after the other", async () => {
    await using world = await openCheckedWorld();
    const ada = world.member("Ada");
    const first = await ask(world, { from: "Yrok", to: "Leds", time: "18:00" });
    const second = await ada.select(first.message, "Where from…", ["YRK"]);
    expect(second.message.ephemeral).toBe(true);
    expect(choicesOf(second.message)).toContain("LDS");
    const plan = await ada.select(second.message, "Where to…", ["LDS"]);
    expect(plan.text).toMatch(/York → Leeds\n-# Leaving after 18:00/);
  });

  it("searches other places if no station is meant", async () => {
    await using world = await openCheckedWorld();
    const ada = world.member("Ada");
    const asked = await ask(world, { from: "YRK", to: "Yrok" });
    const search = choicesOf(asked.message).at(-1) ?? "";
    const nothing = await ada.select(asked.message, "Where to…", [search]);
    expect(nothing.message.ephemeral).toBe(true);
    expect(nothing.text).toMatch(/can't find “Yrok” among stations, stops and towns/);
    expect(world.transport.ledger.map(({ path }) => path)).toEqual([expect.stringMatching(/places\.json/)]);
  });
});

describe("a doubtful request for a journey", () => {
  const cases: readonly (readonly [string, OptionInputs, RegExp])[] = [
    ["one station as both ends", { from: "York", to: "YRK" }, /York to York/],
    ["one place in two spellings as both ends", { from: "YO24 1AB", to: "yo241ab" }, /YO24 1AB to YO24 1AB/],
    ["a time that does not exist", { from: "YRK", to: "LDS", time: "24:61" }, /24:61 isn't a time/],
    ["a day that has passed", { from: "YRK", to: "LDS", date: "1 Nov" }, /has (?:already )?passed/],
    [
      "a time of today that has passed",
      { from: "YRK", to: "LDS", date: "today", time: "9am" },
      /has (?:already )?passed/,
    ],
    ["a day too far ahead", { from: "YRK", to: "LDS", date: "2027-06-01" }, /too far ahead/],
    ["an arrival without a time", { from: "YRK", to: "LDS", arrive_by: true }, /Add a time/],
    ["Belfast", { from: "BT1 5GS", to: "LDS" }, /outside Great Britain/],
    ["Paris", { from: "48.8566,2.3522", to: "LDS" }, /outside Great Britain/],
    ["300 letters", { from: "x".repeat(300), to: "LDS" }, /too long/],
    ["an emoji", { from: "🚂", to: "LDS" }, /Which place/],
    ["a name to itself", { from: "Qqq Zzyzx", to: "qqq  zzyzx" }, /twice/],
    ["a path", { from: "YRK", to: "../../live.json?app_key=1" }, /can't be a place/],
    ["a path in a scheme", { from: "crs:../x", to: "LDS" }, /can't be a place/],
    ["everyone", { from: "YRK", to: "@everyone" }, /can't be a place/],
  ];

  it("is refused privately and costs no call", async () => {
    await using world = await openCheckedWorld();
    for (const [what, options, sentence] of cases) {
      const { message, text } = await ask(world, options);
      const { ephemeral, pings } = message;
      expect({ what, text, ephemeral, pings }).toEqual({
        what,
        text: expect.stringMatching(sentence),
        ephemeral: true,
        pings: [],
      });
      expect(text.length, `of ${what}`).toBeLessThan(300);
    }
    expect(world.transport.ledger).toHaveLength(0);
  });

  it("is answered with a note if its time happens twice because clocks go back", async () => {
    await using world = await openCheckedWorld({ at: "2026-10-20T12:00:00Z" });
    const answer = await ask(world, { from: "YRK", to: "LDS", date: "25 Oct", time: "01:30" });
    expect(answer.text).toMatch(/01:30 happens twice/);
  });

  it("is refused with the next valid time if clocks skip its time", async () => {
    await using world = await openCheckedWorld({ at: "2027-03-20T12:00:00Z" });
    const answer = await ask(world, { from: "YRK", to: "LDS", date: "28 March", time: "01:30" });
    expect(answer.message.ephemeral).toBe(true);
    expect(answer.text).toMatch(/02:30/);
    expect(world.transport.ledger).toHaveLength(0);
  });
});

describe("a planner that cannot answer", () => {
  it.each(["specification", "public"])(
    "leads to a reply that names the unknown place (%s)",
    async (dialect) => {
      await using world = await openCheckedWorld({ env: { TRANSPORT_DIALECT: dialect } });
      const answer = await ask(world, { from: "YO99 9ZZ", to: "LDS" });
      expect(answer.message.ephemeral).toBe(true);
      expect(answer.text).toMatch(/doesn't know YO99 9ZZ/);
    },
  );

  it.each([
    { does: "html", says: /an answer I don't understand/ },
    { does: "401", says: /credentials/ },
  ] as const)("is explained after the fault $does", async ({ does, says }) => {
    await using world = await openCheckedWorld();
    world.transport.faults.add({ path: /journey/, do: does, times: 99 });
    const answer = await ask(world, { from: "YRK", to: "LDS" });
    expect(answer.message.ephemeral).toBe(true);
    expect(answer.text).toMatch(says);
    expect(answer.text).not.toContain(world.transport.appKey);
  });

  it("is replaced by the last known answer and its age", async () => {
    await using world = await openCheckedWorld();
    const options = { from: "YRK", to: "LDS", time: "19:00" };
    await ask(world, options);
    await world.clock.advance(12 * 60_000);
    world.transport.plan.set({ limit: 0, windowMs: 3_600_000 });
    const answer = await ask(world, options);
    expect(answer.text).toMatch(/York → Leeds/);
    expect(answer.text).toMatch(/Live data is used up for now\. This is 12 minutes old/);
  });
});
