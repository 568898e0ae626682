// A member reads timetables and opens trains: the real bot, logged in to the local Discord, asks the stand-in.
import { describe, expect, it } from "vitest";
import type { OptionInputs, SeenMessage } from "../../sandbox/discord/actors/member-types.ts";
import type { World } from "../../sandbox/world.ts";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";

reportChecks();

async function ask(world: World, options: OptionInputs) {
  return world.member("Ada").slash(world.channels.trains, "timetable", { view: "text", ...options });
}

/** The departure times of the rows, in order. */
function timesIn(text: string): readonly string[] {
  return [...text.matchAll(/^\*\*(\d\d:\d\d)\*\*/gm)].map(([, time]) => time ?? "");
}

/** The label and value of each train in the menu. */
function trainsOf(message: SeenMessage): readonly { readonly label: string; readonly value: string }[] {
  const found = JSON.stringify(message.components).matchAll(/"label":"([^"]*)","value":"([^"]*~[^"]*)"/g);
  return [...found].map(([, label = "", value = ""]) => ({ label, value }));
}

describe.each(["specification", "public"])("timetables in the %s dialect", (dialect) => {
  const env = { TRANSPORT_DIALECT: dialect };

  it("show the trains that are planned at a given time, and later and earlier ones", async () => {
    await using world = await openCheckedWorld({ env });
    const ada = world.member("Ada");
    const page = await ask(world, { station: "York", date: "tomorrow", time: "8am" });
    expect(page.text).toMatch(/### York timetable\n-# Departures from 08:00, Thu 19 Nov/);
    expect(page.text).toMatch(/source: \[transportapi\.com\]/);
    const times = timesIn(page.text);
    expect(times).toHaveLength(10);
    expect(times.toSorted()).toEqual(times);
    expect((times[0] ?? "") >= "08:00").toBe(true);

    const later = await ada.click(page.message, "Later");
    expect(later.message.id).toBe(page.message.id);
    expect((timesIn(later.text)[0] ?? "") >= (times.at(-1) ?? "")).toBe(true);
    const earlier = await ada.click(later.message, "Earlier");
    expect((timesIn(earlier.text)[0] ?? "") < (timesIn(later.text)[0] ?? "")).toBe(true);
    expect(world.transport.ledger).toHaveLength(3);
  });

  it("can be drawn, e.g. as arrivals from one other station", async () => {
    await using world = await openCheckedWorld({ env });
    const ada = world.member("Ada");
    const page = await ask(world, {
      station: "York",
      to: "Leeds",
      show: "arrivals",
      view: "picture",
      time: "20:00",
    });
    expect(page.text).toMatch(/Arrivals from Leeds, from 20:00/);
    expect(page.message.attachments[0]?.description).toMatch(/^York timetable: .* 2\d:\d\d .+, platform/);
    const text = await ada.click(page.message, "Text");
    expect(timesIn(text.text)).not.toEqual([]);
    expect(world.transport.ledger).toHaveLength(1);
  });

  it("continue past midnight and name the day", async () => {
    await using world = await openCheckedWorld({ env });
    const page = await ask(world, { station: "YRK", time: "23:30" });
    expect(page.text).toMatch(/^\*\*0\d:\d\d\*\* \(Thu\) /m);
  });

  it("offer no trains that have left", async () => {
    await using world = await openCheckedWorld({ env });
    const page = await ask(world, { station: "YRK" });
    expect(page.button("Earlier")).toMatchObject({ disabled: true });
  });

  it("open a train with its calling points for the member who chose it", async () => {
    await using world = await openCheckedWorld({ env });
    const ada = world.member("Ada");
    const page = await ask(world, { station: "YRK", date: "tomorrow", time: "08:00" });
    const [train] = trainsOf(page.message);
    const card = await ada.select(page.message, "Open a train…", [train?.value ?? ""]);
    expect(card.message.ephemeral).toBe(true);
    expect(card.message.id).not.toBe(page.message.id);
    expect(card.text).toMatch(/Hasn't left/);
    expect(card.text).toContain(`**${train?.label.slice(0, 5) ?? "no train"}** __York__`);
    expect(ada.look(page.message)?.text).toBe(page.text);
  });
});

describe.each(["specification", "public"])("trains of a live board in the %s dialect", (dialect) => {
  const env = { TRANSPORT_DIALECT: dialect };

  it.each(["departures", "arrivals"])("open from %s, as a picture and as text", async (command) => {
    await using world = await openCheckedWorld({ env });
    const ada = world.member("Ada");
    for (const view of ["picture", "text"]) {
      const board = await ada.slash(world.channels.trains, command, { station: "YRK", view });
      const train = trainsOf(board.message).at(-1);
      const card = await ada.select(board.message, "Open a train…", [train?.value ?? ""]);
      expect(card.message.ephemeral).toBe(true);
      expect(card.text).toMatch(/### \d\d:\d\d .+ → .+/);
      expect(card.text).toMatch(/📍 .+\./);
      expect(card.text).toMatch(/__York__/);
      expect(card.text).toMatch(/source: \[transportapi\.com\]/);
      expect(card.text).not.toContain(world.transport.appKey);
      expect(card.message.pings).toEqual([]);
    }
  });

  it("open for another member within a minute without another call", async () => {
    await using world = await openCheckedWorld({ env });
    const board = await world
      .member("Ada")
      .slash(world.channels.trains, "departures", { station: "YRK", view: "text" });
    const value = trainsOf(board.message).at(-1)?.value ?? "";
    await world.member("Ada").select(board.message, "Open a train…", [value]);
    const calls = world.transport.ledger.length;
    await world.member("Alan").select(board.message, "Open a train…", [value]);
    expect(world.transport.ledger).toHaveLength(calls);
  });

  it("show the previous day's date if they left before midnight", async () => {
    await using world = await openCheckedWorld({ env, at: "2026-11-19T00:01:00Z" });
    const ada = world.member("Ada");
    const board = await ada.slash(world.channels.trains, "arrivals", { station: "YRK", view: "text" });
    const [train] = trainsOf(board.message);
    const card = await ada.select(board.message, "Open a train…", [train?.value ?? ""]);
    expect(card.text).toMatch(/Wed 18 Nov/);
  });
});

describe("a message that names trains and a time", () => {
  it("is answered with the timetable, or with what to type instead", async () => {
    await using world = await openCheckedWorld();
    const ada = world.member("Ada");
    async function answerTo(text: string): Promise<SeenMessage> {
      const asked = await ada.attach(ada.dm(), text, []);
      return ada.waitForMessage(ada.dm(), (each) => each.repliesTo === asked.id);
    }
    const page = await answerTo("York to Leeds tomorrow at 9:00");
    expect(page.text).toMatch(/### York timetable\n-# Departures to Leeds, from 09:00, Thu 19 Nov/);
    expect(page.attachments).toHaveLength(1);
    expect((await ada.click(page, "Text")).text).toMatch(/^\*\*09:\d\d\*\*/m);
    expect((await answerTo("York to Leeds tomorrow at 9")).text).toBe("What time is “9”? Type 09:00 or 9pm.");
  });
});

describe("a doubtful request for a timetable", () => {
  const cases: readonly (readonly [string, OptionInputs, RegExp])[] = [
    ["an unknown station", { station: "Manch" }, /Manchester Piccadilly \(MAN\)/],
    ["a time that does not exist", { station: "YRK", time: "24:61" }, /24:61 isn't a time/],
    ["an emoji as a time", { station: "YRK", time: "🚂" }, /as a time/],
    ["a day that has passed", { station: "YRK", date: "2026-11-17" }, /has passed/],
    ["a day too far ahead", { station: "YRK", date: "1/6/2027" }, /too far ahead/],
    ["a day that does not exist", { station: "YRK", date: "30 Feb" }, /no 30 February/],
    ["300 letters as a date", { station: "YRK", date: "x".repeat(300) }, /as a date/],
    ["a path as a date", { station: "YRK", date: "../../x" }, /as a date/],
  ];

  it.each(cases)("is refused privately and costs no call: %s", async (_, options, sentence) => {
    await using world = await openCheckedWorld();
    const answer = await ask(world, options);
    expect(answer.message.ephemeral).toBe(true);
    expect(answer.text).toMatch(sentence);
    expect(answer.text.length).toBeLessThan(300);
    expect(world.transport.ledger).toHaveLength(0);
  });
});
