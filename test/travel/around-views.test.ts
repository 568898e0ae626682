import { describe, expect, it } from "vitest";
import type { Block, Reply } from "../../src/core/reply.ts";
import type { NetworkState } from "../../src/travel/network.ts";
import type { PlaceList } from "../../src/travel/places.ts";
import { busView } from "../../src/travel/bus-view.ts";
import { networkView } from "../../src/travel/network-view.ts";
import { formatDistance, whichPlaceView } from "../../src/travel/which-place-view.ts";
import { placesView } from "../../src/travel/places-view.ts";
import { NOW, bus, busStop, networkEntry, place, ukTime } from "../support/around.ts";

function inner(reply: Reply): readonly Block[] {
  return reply.blocks.flatMap((block) => (block.type === "container" ? block.blocks : [block]));
}

function textOf(reply: Reply): string {
  return inner(reply)
    .flatMap((block) => (block.type === "text" ? [block.text] : block.type === "section" ? block.texts : []))
    .join("\n");
}

function buttonsOf(reply: Reply) {
  return inner(reply).flatMap((block) => {
    const buttons =
      block.type === "buttons" ? block.buttons : block.type === "section" ? [block.accessory] : [];
    return buttons.flatMap((one) => (one.type === "button" ? [one] : []));
  });
}

function list(more: Partial<PlaceList>): PlaceList {
  return {
    search: { text: "Mill", near: undefined, kind: undefined, start: { page: 1, skip: 0 } },
    places: [place()],
    previous: undefined,
    next: undefined,
    dataAt: NOW,
    stale: undefined,
    acknowledgements: undefined,
    ...more,
  };
}

describe("a list of places", () => {
  it("leads on from each place: to its trains, its buses, or what is near", () => {
    const reply = placesView(
      list({
        places: [
          place({ kind: "train-station", name: "York", crs: "YRK", atco: undefined, distanceMetres: 1_260 }),
          place({ distanceMetres: 40 }),
          place({ kind: "tube-station", name: "Bank", atco: "9400ZZLUBNK" }),
        ],
      }),
    );
    expect(buttonsOf(reply).map(({ label, target }) => [label, target.command, target.args])).toEqual([
      ["Departures", "departures", { s: "YRK" }],
      ["Buses", "bus", { s: "3290EX001" }],
      ["Near here", "places", { n: "53.95_-1.1_Bank" }],
    ]);
    expect(textOf(reply)).toMatch(/York \\\(YRK\\\)[^]*1\.3 km[^]*40 m[^]*not when they leave/);
  });

  it("goes on through a long list, and offers no two buttons of one id", () => {
    const reply = placesView(
      list({ places: [place(), place()], previous: { page: 1, skip: 0 }, next: { page: 1, skip: 10 } }),
    );
    expect(buttonsOf(reply).map(({ label }) => label)).toEqual(["Buses", "Back", "More"]);
  });

  it("names its source and whom the terms ask to be named, and says when it is old", () => {
    const text = textOf(
      placesView(
        list({
          acknowledgements: "Contains *rail* data, , Licence http://example.org/terms-of/use,",
          stale: { ageMinutes: 12, why: "budget-spent" },
        }),
      ),
    );
    expect(text).toContain("source: http://transportapi.com/");
    expect(text).toContain("Contains \\*rail\\* data, Licence http://example.org/terms-of/use");
    expect(text).toContain(
      "I could not ask again: the plan is used up for now. This is from 12 minutes ago.",
    );
  });

  it("shows foreign names as they are, on one line", () => {
    const text = textOf(
      placesView(list({ places: [place({ name: "**Mill**\n@everyone", locality: "[x](y)" })] })),
    );
    expect(text).toContain("\\*\\*Mill\\*\\* \\@everyone");
    expect(text).toContain("\\[x\\]\\(y\\)");
  });
});

describe("a menu of places", () => {
  it("offers each value once, up to 25", () => {
    const choices = Array.from({ length: 40 }, (_, index) => place({ atco: `3290EX${index % 30}` }));
    const reply = whichPlaceView(
      { text: "Mill", choices, acknowledgements: undefined },
      { command: "bus", action: "pick", args: {} },
      ({ atco }) => atco,
    );
    const menu = inner(reply).find((block) => block.type === "select");
    expect(new Set(menu?.choices.map(({ value }) => value)).size).toBe(25);
    expect(menu?.choices[0]).toMatchObject({ label: "🚌 Mill Lane", description: "bus stop · York" });
    expect(textOf(reply)).toMatch(/add the town/);
  });
});

describe("a stop's buses", () => {
  const board = (departures: Parameters<typeof busStop>[0]) => ({ ...busStop(departures), stale: undefined });

  it("say what is live, late, early, cancelled or only in the timetable", () => {
    const text = textOf(
      busView(
        board([
          bus("17:25", undefined),
          bus("17:26", "17:26"),
          bus("17:27", "17:34"),
          bus("17:29", "17:28"),
          bus(undefined, "17:31", { direction: undefined }),
          bus("17:35", undefined, { isCancelled: true }),
        ]),
        0,
      ),
    );
    expect(text).toContain("**17:25** · **4A** to City Centre\n-# Scheduled · Example Buses");
    expect(text).toContain("**17:26** · **4A** to City Centre\n-# On time, live");
    expect(text).toContain("**17:27** → **17:34** · **4A** to City Centre\n7 min late");
    expect(text).toContain("**17:29** → **17:28** · **4A** to City Centre\n-# 1 min early");
    expect(text).toContain("**17:31** · **4A**\n-# Live");
    expect(text).toContain("~~**17:35** · **4A** to City Centre~~\n**Cancelled**");
  });

  it("are shown ten at a time", () => {
    const departures = Array.from({ length: 23 }, (_, index) =>
      bus("17:30", undefined, { line: `L${index}` }),
    );
    const labels = (skip: number) => buttonsOf(busView(board(departures), skip)).map(({ label }) => label);
    expect(labels(0)).toEqual(["Refresh", "Later", "Near here"]);
    expect(labels(10)).toEqual(["Refresh", "Earlier", "Later", "Near here"]);
    expect(labels(500)).toEqual(["Refresh", "Earlier", "Near here"]);
    expect(textOf(busView(board(departures), 500))).toContain("**L22**");
    expect(textOf(busView(board([]), 0))).toContain("No buses that I know of");
  });
});

describe("the network", () => {
  const state = (more: Partial<NetworkState>): NetworkState => ({
    basis: "status",
    entries: [],
    seen: undefined,
    dataAt: NOW,
    stale: undefined,
    ...more,
  });

  it("has trouble under its modes, then what runs well", () => {
    const text = textOf(
      networkView(
        state({
          entries: [
            networkEntry(),
            networkEntry({ mode: "tube", name: "Victoria", state: "Good service", isDisrupted: false }),
          ],
        }),
        0,
      ),
    );
    expect(text).toMatch(
      /🚆 Trains\*\*\n\*\*Northern\*\* · Minor delays\n-# A signal failed\.[^]*Tube and metro running well: Victoria/,
    );
    expect(text).toContain("From the service's own state of the network.");
  });

  it("counts what runs well where it is much, and says where in a long list one is", () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => `Line ${index}`);
    const entries = [
      ...names(10).map((name) => networkEntry({ name: `Late ${name}` })),
      ...names(7).map((name) => networkEntry({ name, isDisrupted: false })),
      ...names(8).map((name) => networkEntry({ name, mode: "tram", isDisrupted: false })),
    ];
    const text = textOf(networkView(state({ entries }), 8));
    expect(text).toContain("### The network now\n-# Disruptions 9 to 10 of 10\n**🚆 Trains**");
    expect(text).toContain("Trains running well: 7 of 17");
    expect(text).toContain("Trams running well: all 8");
    expect(text).not.toContain("Line 3");
  });

  it("is all well when it is", () => {
    const reply = networkView(state({ entries: [networkEntry({ isDisrupted: false })] }), 0);
    expect(textOf(reply)).toContain("All well");
    expect(reply.blocks[0]).toMatchObject({ accent: 0x2fa36b });
  });

  it("says what it is based on where the service has no state of the whole", () => {
    const train = {
      station: { crs: "YRK", name: "York" },
      place: "Leeds",
      kind: "departures",
      aimedAt: ukTime("17:30"),
      operator: "Northern",
    } as const;
    const seen = {
      stations: 3,
      cancelled: [train, { ...train, kind: "arrivals", place: "Hull" } as const],
    };
    const text = textOf(networkView(state({ basis: "bus-situations", seen }), 0));
    expect(text).toContain("**Buses:** no disruptions are reported.");
    expect(text).toContain(
      "on the boards of 3 stations that people looked at lately, 2 trains are cancelled.",
    );
    expect(text).toContain("**17:30** York to Leeds · Northern");
    expect(text).toContain("**17:30** Hull to York · Northern");
    expect(text).toContain("the service has no state of the whole network");
    const blind = { stations: 0, cancelled: [] };
    expect(textOf(networkView(state({ basis: "bus-situations", seen: blind }), 0))).toContain(
      "nobody has looked at a board lately",
    );
  });

  it("goes through many disruptions, each with its time", () => {
    const entries = Array.from({ length: 12 }, (_, index) =>
      networkEntry({
        name: `Incident ${index}`,
        mode: "bus",
        state: undefined,
        from: ukTime("18:00"),
        until: ukTime("21:00"),
      }),
    );
    const first = networkView(state({ entries }), 0);
    expect(textOf(first)).toContain("**Incident 0** · from 18:00 · until 21:00");
    expect(buttonsOf(first).map(({ label, target }) => [label, target.args])).toEqual([
      ["Refresh", {}],
      ["More", { o: "8" }],
    ]);
    expect(textOf(networkView(state({ entries }), 8))).toContain("Incident 11");
  });
});

it("distances are said as people say them", () => {
  expect([4, 94, 994, 996, 9_940, 25_400].map(formatDistance)).toEqual([
    "10 m",
    "90 m",
    "990 m",
    "1.0 km",
    "9.9 km",
    "25 km",
  ]);
});
