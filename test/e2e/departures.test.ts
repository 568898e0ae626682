// A member asks for trains: the real bot, logged in to the local Discord, asks the stand-in.
import { describe, expect, it } from "vitest";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";

reportChecks();

const PNG = [0x89, 0x50, 0x4e, 0x47];

describe.each(["specification", "public"])("/departures in the %s dialect", (dialect) => {
  const env = { TRANSPORT_DIALECT: dialect };

  it("answers with a picture, alt text and buttons", async () => {
    await using world = await openCheckedWorld({ env });
    const ada = world.member("Ada");
    const answer = await ada.slash(world.channels.trains, "departures", { station: "YRK" });

    const [board] = answer.message.attachments;
    if (board === undefined) {
      throw new Error("the answer has no picture");
    }
    const bytes = await ada.download(board);
    expect([...bytes.subarray(0, 4)]).toEqual(PNG);
    expect(bytes.length).toBeLessThanOrEqual(30_720);
    expect(board.description).toMatch(/York/);
    expect(board.description).toMatch(/17:[2-5]\d/);
    expect(answer.text).toMatch(/York/);
    for (const label of ["Refresh", "Later", "Arrivals", "Text"]) {
      expect(answer.button(label)).toBeDefined();
    }
    expect(answer.message.pings).toEqual([]);
  });

  it("shows the same trains as text, and switches back to the picture", async () => {
    await using world = await openCheckedWorld({ env });
    const ada = world.member("Ada");
    const asked = await ada.slash(world.channels.trains, "departures", { station: "York", view: "picture" });
    const times = timesIn(asked.message.attachments[0]?.description);

    const text = await ada.click(asked.message, "Text");
    expect(text.message.id).toBe(asked.message.id);
    expect(text.message.attachments).toEqual([]);
    expect(times.length).toBeGreaterThan(3);
    for (const time of times) {
      expect(text.text).toContain(time);
    }
    const picture = await ada.click(text.message, "Picture");
    expect(picture.message.attachments).toHaveLength(1);
  });

  it("switches to arrivals and back, and to later trains", async () => {
    await using world = await openCheckedWorld({ env });
    const ada = world.member("Ada");
    const departures = await ada.slash(world.channels.trains, "departures", {
      station: "LDS",
      view: "text",
      rows: 3,
    });
    const arrivals = await ada.click(departures.message, "Arrivals");
    expect(arrivals.text).toMatch(/Arrivals/);
    const back = await ada.click(arrivals.message, "Departures");
    const before = back.text;
    expect(before).toMatch(/Departures/);
    const later = await ada.click(back.message, "Later");
    const first = (text: string) => timesIn(text.slice(text.indexOf("**")))[0] ?? "";
    expect(first(later.text) >= first(before)).toBe(true);
    expect(later.text).not.toBe(before);
    const now = await ada.click(later.message, "Now");
    expect(now.text).toBe(before);
  });

  it("shows only trains that call at the given station", async () => {
    await using world = await openCheckedWorld({ env });
    const ada = world.member("Ada");
    const channel = world.channels.trains;
    const all = await ada.slash(channel, "departures", { station: "YRK", view: "text", rows: 10 });
    const some = await ada.slash(channel, "departures", {
      station: "YRK",
      to: "NCL",
      view: "text",
      rows: 10,
    });
    expect(some.text).toMatch(/Newcastle/);
    expect(some.text).not.toBe(all.text);
    expect(some.text).not.toMatch(/London Kings Cross \(/);
  });
});

describe("buttons", () => {
  it("still work after the bot was restarted", async () => {
    await using world = await openCheckedWorld();
    const ada = world.member("Ada");
    const asked = await ada.slash(world.channels.trains, "departures", { station: "YRK", view: "text" });
    const before = asked.text;
    await world.bot.stop();
    await world.bot.start();
    await world.clock.advance(10 * 60_000);
    const fresh = await ada.click(asked.message, "Refresh");
    expect(fresh.message.id).toBe(asked.message.id);
    expect(fresh.text).not.toBe(before);
    expect(fresh.text).toMatch(/17:30/);
  });
});

describe("a picture that Discord does not confirm", () => {
  it("appears once, and the abandoned upload does no harm", async () => {
    await using world = await openCheckedWorld();
    const ada = world.member("Ada");
    const hung = world.discord.faults.add({ method: "POST", path: /callback$/, do: "hang-after" });
    const asking = ada.slash(world.channels.trains, "departures", { station: "YRK" });
    while (hung.hits === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await asking).message.attachments).toHaveLength(1);
    await world.clock.advance(1_500);
    hung.release();
    await world.clock.advance(3_000);
    expect(ada.messages(world.channels.trains)).toHaveLength(1);
    expect((await ada.slash(world.channels.trains, "about")).text).toMatch(/Signalbox/);
  });
});

describe("an empty board", () => {
  it("says when the next train leaves", async () => {
    await using world = await openCheckedWorld({ at: "2026-11-19T02:10:00Z" });
    const ada = world.member("Ada");
    const answer = await ada.slash(world.channels.trains, "departures", { station: "HBD", view: "text" });
    expect(answer.text).toMatch(/No departures/i);
    expect(answer.text).toMatch(/next/i);
    expect(answer.text).toMatch(/0[5-7]:\d\d/);
  });
});

describe("autocomplete for stations", () => {
  it("finds names, codes, aliases and misspellings", async () => {
    await using world = await openCheckedWorld();
    const ada = world.member("Ada");
    const first = async (station: string) => {
      const choices = await ada.complete(world.channels.trains, "departures", { station }, "station");
      return choices.slice(0, 5).map(({ value }) => value);
    };
    expect(await first("yrk")).toContain("YRK");
    expect(await first("edinb")).toContain("EDB");
    expect(await first("kings cross")).toContain("KGX");
    expect(await first("Newcatsle")).toContain("NCL");
    expect(await first("Birmngham New")).toContain("BHM");
  });
});

describe("a direct message", () => {
  it("allows /departures, as a server does", async () => {
    await using world = await openCheckedWorld();
    const alan = world.member("Alan");
    const answer = await alan.slash(alan.dm(), "departures", { station: "Leeds", view: "text" });
    expect(answer.text).toMatch(/Leeds/);
  });

  it("with words about trains is answered with a board, and with other words with a hint", async () => {
    await using world = await openCheckedWorld();
    const alan = world.member("Alan");
    const asked = await alan.attach(alan.dm(), "next train to Leeds from York", []);
    const board = await alan.waitForMessage(alan.dm(), (each) => each.repliesTo === asked.id);
    expect(board.attachments[0]?.description).toMatch(/York.*Leeds/s);
    expect((await alan.click(board, "Text")).text).toMatch(/York/);
    const chatted = await alan.attach(alan.dm(), "how are you?", []);
    const greeting = await alan.waitForMessage(alan.dm(), (each) => each.repliesTo === chatted.id);
    expect(greeting.text).toMatch(/^Hello\. Try <\/departures:\d+>, or just write “York to Leeds”/);
  });
});

/** The times of day in a text. */
function timesIn(text = ""): string[] {
  return [...text.matchAll(/\b\d\d:\d\d\b/g)].map(([time]) => time);
}
