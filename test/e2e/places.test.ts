// A member searches for stations and stops: the real bot asks the stand-in, in both dialects.
import { describe, expect, it } from "vitest";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";

reportChecks();

describe.each(["specification", "public"])("/places in the %s dialect", (dialect) => {
  const env = { TRANSPORT_DIALECT: dialect };

  it("finds a station by name, and its button shows the departures", async () => {
    await using world = await openCheckedWorld({ env });
    const ada = world.member("Ada");
    const answer = await ada.slash(world.channels.trains, "places", { query: "York" });
    expect(answer.text).toMatch(/Places called “York”/);
    expect(answer.text).toMatch(/York \\\(YRK\\\)/);
    expect(answer.text).toMatch(/source: \[transportapi\.com\]/);
    expect(answer.text).toMatch(/NaPTAN/);
    expect(answer.message.pings).toEqual([]);
    const board = await ada.click(answer.message, "Departures");
    expect(board.message.attachments[0]?.description).toMatch(/Departures from York/);
  });

  it("finds every place with the name, not only the main station", async () => {
    await using world = await openCheckedWorld({ env });
    const answer = await world.member("Ada").slash(world.channels.trains, "places", { query: "Waterloo" });
    expect(answer.text).toMatch(/Places called “Waterloo”/);
    expect(answer.text).toMatch(/\*\*London Waterloo \\\(WAT\\\)/);
    expect(world.transport.ledger[0]?.path).toMatch(/query=Waterloo(?:&|$)/);
  });

  it("treats a kind of place as that kind, and keeps results near the given place", async () => {
    await using world = await openCheckedWorld({ env });
    const options = { query: "bus stop", near: "York", type: "bus-stop" };
    const answer = await world.member("Ada").slash(world.channels.trains, "places", options);
    expect(answer.text).toMatch(/### Bus stops near York\n-# Within 3 miles\n/);
    expect(metresIn(answer.text)).toHaveLength(5);
    expect(Math.max(...metresIn(answer.text))).toBeLessThan(1_000);
    const stadium = { query: "Wembley Stadium", near: "York" };
    const none = await world.member("Ada").slash(world.channels.trains, "places", stadium);
    expect(none.text).toMatch(/no places called “Wembley Stadium” near York \(within 15 miles\)/);
  });

  it("lists places near a postcode, nearest first", async () => {
    await using world = await openCheckedWorld({ env });
    const answer = await world.member("Ada").slash(world.channels.trains, "places", { query: "yo241ab" });
    expect(answer.text).toMatch(/near YO24 1AB/);
    const metres = metresIn(answer.text);
    expect(metres.length).toBe(5);
    expect(metres).toEqual(metres.toSorted((a, b) => a - b));
  });

  it("lists bus stops near coordinates and shows the buses of one", async () => {
    await using world = await openCheckedWorld({ env });
    const ada = world.member("Ada");
    const answer = await ada.slash(world.channels.trains, "places", {
      query: "53.958N 1.093W",
      type: "bus-stop",
    });
    expect(answer.text).toMatch(/Bus stops near that point/);
    expect(metresIn(answer.text).every((metres) => metres < 2_000)).toBe(true);
    const buses = await ada.click(answer.message, "Buses");
    expect(buses.text).toMatch(/^### 🚌 /);
  });

  it("pages through a long list and back, and requests each page of the service once", async () => {
    await using world = await openCheckedWorld({ env });
    const ada = world.member("Ada");
    const first = await ada.slash(world.channels.trains, "places", { query: "53.958,-1.093" });
    const texts = [first.text];
    let { message } = first;
    for (let step = 0; step < 6; step += 1) {
      const more = await ada.click(message, "More");
      texts.push(more.text);
      message = more.message;
    }
    expect(new Set(texts).size).toBe(7);
    expect(world.transport.ledger).toHaveLength(2);
    const back = await ada.click(message, "Back");
    expect(back.text).toBe(texts.at(-2));
    expect(world.transport.ledger).toHaveLength(2);
  });

  it("asks which place is meant if several have the name", async () => {
    await using world = await openCheckedWorld({ env });
    const ada = world.member("Ada");
    const answer = await ada.slash(world.channels.trains, "places", { query: "Mill", near: "Mill Lane" });
    expect(answer.text).toMatch(/Which one do you mean/);
    expect(answer.message.ephemeral).toBe(true);
    const values = valuesIn(answer.message.components);
    const list = await ada.select(answer.message, "Pick one…", [values[3] ?? ""]);
    expect(list.text).toMatch(/Places called “Mill” near Mill Lane/);
    expect(list.message.ephemeral).toBe(false);
    expect(metresIn(list.text)[0]).toBeLessThan(100);
  });

  it("shows tube stations and piers, and says that it has no departure times for them", async () => {
    await using world = await openCheckedWorld({ env });
    const ada = world.member("Ada");
    const tube = await ada.slash(world.channels.trains, "places", { query: "Oxford Circus" });
    expect(tube.text).toMatch(/Tube or metro station[^]*not when they leave/);
    const near = await ada.click(tube.message, "Near here");
    expect(near.text).toMatch(/near Oxford Circus/);
    const pier = await ada.slash(world.channels.trains, "places", { query: "pier", type: "ferry" });
    expect(pier.text).toMatch(/Ferry terminal/);
  });

  it("says that a name or a postcode is unknown", async () => {
    await using world = await openCheckedWorld({ env });
    const ada = world.member("Ada");
    const nowhere = await ada.slash(world.channels.trains, "places", { query: "Xyzzy" });
    expect(nowhere.message.ephemeral).toBe(true);
    expect(nowhere.text).toMatch(/no places called “Xyzzy”/);
    const postcode = await ada.slash(world.channels.trains, "places", { query: "YO99 9ZZ" });
    expect(postcode.message.ephemeral).toBe(true);
    expect(postcode.text).toMatch(/can't find the postcode YO99 9ZZ/);
    const impossible = await ada.slash(world.channels.trains, "places", { query: "ZZ9 9ZZ" });
    expect(impossible.text).toMatch(/can't find the postcode ZZ9 9ZZ/);
  });
});

describe("input that cannot be a place", () => {
  it("is refused privately, without asking the service", async () => {
    await using world = await openCheckedWorld();
    const ada = world.member("Ada");
    const refused: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
      [{ query: "BT1 5GS" }, /outside Great Britain/],
      [{ query: "48.8566,2.3522" }, /outside Great Britain/],
      [{ query: "Mill", near: "48.8566,2.3522" }, /outside Great Britain/],
      [{ query: "🚂🚂" }, /Which place/],
      [{ query: "../../etc/passwd" }, /can't be a place/],
      [{ query: "York?app_key=1" }, /can't be a place/],
      [{ query: "YO24 1AB", near: "York" }, /leave out `near`/],
      [{ query: "3290YYA00103" }, /code alone/],
    ];
    for (const [options, words] of refused) {
      const answer = await ada.slash(world.channels.trains, "places", options);
      expect(answer.message.ephemeral).toBe(true);
      expect(answer.text).toMatch(words);
      expect(answer.text).not.toContain("\n");
    }
    // Discord's clients enforce the longest text that the command allows.
    await expect(ada.slash(world.channels.trains, "places", { query: "x".repeat(300) })).rejects.toThrow(
      /characters/,
    );
    expect(world.transport.ledger).toEqual([]);
  });
});

describe("a tube station asked for as a train station", () => {
  it("is answered with advice, without asking the service", async () => {
    await using world = await openCheckedWorld();
    const answer = await world
      .member("Ada")
      .slash(world.channels.trains, "departures", { station: "Oxford Circus" });
    expect(answer.message.ephemeral).toBe(true);
    expect(answer.text).toMatch(/none for tubes.*\/places/);
    expect(world.transport.ledger).toEqual([]);
  });
});

/** The distances in a text, in metres. */
function metresIn(text: string): number[] {
  return [...text.matchAll(/ · ([\d.]+) (m|miles)(?= |$)/gm)].map(
    ([, number, unit]) => Number(number) * (unit === "m" ? 1 : 1_609),
  );
}

/** The values of the menus among the components. */
function valuesIn(components: unknown): readonly string[] {
  return [...JSON.stringify(components).matchAll(/"value":"([^"]*)"/g)].map(([, value = ""]) => value);
}
