import { describe, expect, it } from "vitest";
import type { Reply } from "../../src/core/reply.ts";
import type { NetworkLine, NetworkState } from "../../src/travel/network.ts";
import type { PlaceList } from "../../src/travel/places.ts";
import { busPictureModel, busView } from "../../src/travel/bus-view.ts";
import { lineKey, networkLineView, networkView } from "../../src/travel/network-view.ts";
import { formatDistance, whichPlaceView, placesView } from "../../src/travel/places-view.ts";
import { createStations } from "../../src/rail/stations.ts";
import { blocksOf } from "../support/reply-parts.ts";
import { NOW, bus, busStop, networkEntry, place, ukTime } from "../support/travel-data.ts";

function textOf(reply: Reply): string {
  return blocksOf(reply)
    .flatMap((block) => (block.type === "text" ? [block.text] : block.type === "section" ? block.texts : []))
    .join("\n");
}

function buttonsOf(reply: Reply) {
  return blocksOf(reply).flatMap((block) => {
    const buttons =
      block.type === "buttons" ? block.buttons : block.type === "section" ? [block.accessory] : [];
    return buttons.flatMap((one) => (one.type === "button" ? [one] : []));
  });
}

function list(more: Partial<PlaceList>): PlaceList {
  return {
    search: { text: "Mill", near: undefined, kind: undefined, page: 1, skip: 0 },
    places: [place()],
    withinMiles: undefined,
    previous: undefined,
    next: undefined,
    dataAt: NOW,
    stale: undefined,
    acknowledgements: undefined,
    ...more,
  };
}

const railway = createStations().live;

describe("a list of places", () => {
  it("has a button for each place: its departures, its buses, or what is near it", () => {
    const reply = placesView(
      list({
        places: [
          place({ kind: "train-station", name: "York", crs: "YRK", atco: undefined, distanceMetres: 1_260 }),
          place({ distanceMetres: 40 }),
          place({ kind: "tube-station", name: "Bank", atco: "9400ZZLUBNK" }),
        ],
      }),
      railway,
    );
    expect(buttonsOf(reply).map(({ label, target }) => [label, target.command, target.args])).toEqual([
      ["Departures", "departures", { s: "YRK" }],
      ["Buses", "bus", { s: "3290EX001" }],
      ["Near here", "places", { n: "53.95_-1.1_Bank" }],
    ]);
    expect(textOf(reply)).toMatch(
      /York \\\(YRK\\\)[^]*0\.8 miles[^]*40 m[^]*I know where these tubes.*not when they leave/,
    );
  });

  it("has a Departures button for each London stop that has a board", () => {
    const places = [
      place({ kind: "tube-station", name: "Bank Underground Station", atco: "9400ZZLUBNK" }),
      place({ kind: "ferry", name: "Greenwich Pier", atco: "9300GNW" }),
      place({ kind: "tram-stop", name: "West Croydon", atco: "940GZZCRWCR" }),
    ];
    const reply = placesView(list({ places }), createStations({ hasLondon: true }).live);
    expect(buttonsOf(reply).map(({ label, target }) => [label, target.args])).toEqual([
      ["Departures", { s: "940GZZLUBNK" }],
      ["Departures", { s: "930GGNW" }],
      ["Departures", { s: "940GZZCRWCR" }],
    ]);
    expect(textOf(reply)).not.toContain("I know where");
  });

  it("has pages, and no two buttons with the same custom id", () => {
    const reply = placesView(
      list({ places: [place(), place()], previous: { page: 1, skip: 0 }, next: { page: 1, skip: 10 } }),
      railway,
    );
    expect(buttonsOf(reply).map(({ label }) => label)).toEqual(["Buses", "Back", "More"]);
  });

  it("names its source and the required acknowledgements, and says if it is old", () => {
    const text = textOf(
      placesView(
        list({
          acknowledgements: "Contains *rail* data, , Licence http://example.org/terms-of/use,",
          stale: { ageMinutes: 12, why: "budget-spent" },
        }),
        railway,
      ),
    );
    expect(text).toContain("source: [transportapi.com](http://transportapi.com/)");
    expect(text).toContain("Contains \\*rail\\* data, [Licence](http://example.org/terms-of/use)");
    expect(text).toContain("Live data is used up for now. This is 12 minutes old.");
  });

  it("formats an acknowledgement with 100,000 spaces quickly", { timeout: 5_000 }, () => {
    const acknowledgements = `Contains${" ".repeat(100_000)}data`;
    expect(textOf(placesView(list({ acknowledgements }), railway))).toContain("-# Contains");
  });

  it("escapes names from the service, and puts them on one line", () => {
    const text = textOf(
      placesView(list({ places: [place({ name: "**Mill**\n@everyone", locality: "[x](y)" })] }), railway),
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
    const menu = blocksOf(reply).find((block) => block.type === "select");
    expect(new Set(menu?.choices.map(({ value }) => value)).size).toBe(25);
    expect(menu?.choices[0]).toMatchObject({ label: "🚌 Mill Lane", description: "Bus stop · York" });
    expect(textOf(reply)).toMatch(/Several places fit “Mill”.*add the town/);
    const near = whichPlaceView(
      { text: "London Kings Cross", isNear: true, choices, acknowledgements: undefined },
      { command: "bus", action: "pick", args: {} },
      ({ atco }) => atco,
    );
    expect(textOf(near)).toContain(
      "Several stops are near London Kings Cross. If yours isn't listed, type its name or code.",
    );
  });
});

describe("a stop's buses", () => {
  const board = (departures: Parameters<typeof busStop>[0]) => ({
    ...busStop(departures),
    now: ukTime("17:20"),
    stale: undefined,
  });
  const words = (departures: Parameters<typeof busStop>[0], skip = 0) =>
    busView(board(departures), { skip, format: "text" });

  it("are shown with the minutes until they come, and as live, late, early, cancelled or from the timetable", () => {
    const text = textOf(
      words([
        bus("17:25", undefined),
        bus("17:20", "17:20"),
        bus("17:27", "17:34"),
        bus("17:29", "17:27"),
        bus(undefined, "17:31", { direction: undefined }),
        bus("17:35", undefined, { isCancelled: true }),
        bus("18:40", undefined),
      ]),
    );
    expect(text).toContain("### 🚌 Mill Lane\n-# York · northbound · Example Buses");
    expect(text).toContain("**4A** City Centre · **5 min** (17:25, timetable)");
    expect(text).toContain("**4A** City Centre · **Due** (17:20, on time)");
    expect(text).toContain("**4A** City Centre · **14 min** (17:34, 7 min late)");
    expect(text).toContain("**4A** City Centre · **7 min** (17:27, 2 min early)");
    expect(text).toContain("**4A** · **11 min** (17:31, live)");
    expect(text).toContain("~~**4A** City Centre~~ · **Cancelled** (17:35, cancelled)");
    expect(text).toContain("**4A** City Centre · **18:40** (timetable)");
  });

  it("name their operators if there are several", () => {
    const text = textOf(words([bus("17:25", undefined), bus("17:30", undefined, { operator: "Arriva" })]));
    expect(text).toContain("northbound\n**4A** City Centre · **5 min** (17:25, timetable) · Example Buses");
  });

  it("are drawn as a board, with an alt text that says everything", () => {
    const late = board([bus("17:27", "17:34"), bus("17:30", undefined, { isCancelled: true })]);
    expect(busPictureModel(late, 0)).toMatchObject({
      station: "Mill Lane",
      subtitle: "Buses, northbound",
      headings: { time: "Line", platform: "", expected: "Due" },
      rows: [
        { time: "4A", place: "City Centre", expected: "14 min", remark: "17:34 · 7 min late", mood: "late" },
        { time: "4A", expected: "Cancelled", remark: "17:30", mood: "cancelled" },
      ],
    });
    const { files = [] } = busView(late, { skip: 0, format: "picture" }, Uint8Array.of(1));
    expect(files[0]?.description).toBe(
      "Buses from Mill Lane. 4A · City Centre, 14 min (17:34, 7 min late). 4A · City Centre, Cancelled (17:30, cancelled).",
    );
  });

  it("are shown eight at a time", () => {
    const departures = Array.from({ length: 19 }, (_, index) =>
      bus("17:30", undefined, { line: `L${index}` }),
    );
    const labels = (skip: number) => buttonsOf(words(departures, skip)).map(({ label }) => label);
    expect(labels(0)).toEqual(["Refresh", "Later", "Near here", "Picture"]);
    expect(labels(8)).toEqual(["Refresh", "Earlier", "Later", "Near here", "Picture"]);
    expect(labels(500)).toEqual(["Refresh", "Earlier", "Near here", "Picture"]);
    expect(textOf(words(departures, 500))).toContain("**L18**");
    expect(textOf(words([]))).toContain("No buses in the next few hours");
  });

  it("if there are none, are replaced by a notice that names the period, in the text and the picture", () => {
    const london = { ...board([]), source: "tfl" as const };
    expect(textOf(busView(london, { skip: 0, format: "text" }))).toContain(
      "No buses in the next half hour, as",
    );
    expect(busPictureModel(london, 0).notice).toEqual(["No buses in the next half hour"]);
    expect(busPictureModel(board([]), 0).notice).toEqual(["No buses in the next few hours"]);
  });
});

describe("the network", () => {
  const state = (more: Partial<NetworkState>): NetworkState => ({
    lines: [],
    busDisruptions: 0,
    stations: undefined,
    isReported: false,
    isNational: true,
    missing: [],
    credit: "source: a test",
    dataAt: NOW,
    stale: undefined,
    londonStale: undefined,
    ...more,
  });
  const line = (name: string, more: Partial<NetworkLine> = {}): NetworkLine => ({
    mode: "train",
    name,
    severity: "minor",
    state: "MINOR DELAYS",
    entries: [networkEntry()],
    ...more,
  });

  it("has a coloured line for each operator, and names those that run well if they are few", () => {
    const lines = [
      line("LNER", { severity: "severe", state: "Severe delays" }),
      line("Northern"),
      line("Victoria", { mode: "tube", severity: "good", state: "Good service" }),
    ];
    expect(textOf(networkView(state({ lines }), {}, 0))).toContain(
      "### Network status\n🔴 **LNER** · Severe delays\n🟡 **Northern** · Minor delays\n🟢 🚇 **Victoria** · Good service",
    );
  });

  it.each([
    ["northern", "Northern"],
    ["lner", "LNER"],
    ["victoria", "Victoria"],
  ])("shows the filter %s as %s", (operator, name) => {
    expect(textOf(networkView(state({}), { operator }, 0))).toContain(`### Network status\n-# ${name}\n`);
  });

  it("counts the lines that run well if they are many, has a button for buses, and has pages", () => {
    const lines = [
      ...Array.from({ length: 12 }, (_, index) => line(`Late ${index}`)),
      ...Array.from({ length: 7 }, (_, index) => line(`Line ${index}`, { severity: "good" })),
    ];
    const first = networkView(state({ lines, busDisruptions: 3 }), { operator: "L" }, 0);
    expect(textOf(first)).toContain("-# L\n");
    expect(textOf(first)).toContain("🟢 **Running well:** trains 7");
    expect(buttonsOf(first).map(({ label, target }) => [label, target.args])).toEqual([
      ["Refresh", { p: "L" }],
      ["More", { o: "10", p: "L" }],
      ["Buses (3)", { m: "b", p: "L" }],
    ]);
    expect(textOf(networkView(state({ lines }), {}, 10))).toContain("**Late 11**");
  });

  it("is green if all is well, and says what to do if nothing is known", () => {
    const well = networkView(state({ lines: [line("LNER", { severity: "good" })] }), {}, 0);
    expect(well.blocks[0]).toMatchObject({ accent: 0x2fa36b });
    expect(textOf(networkView(state({ stations: 0 }), {}, 0))).toMatch(
      /Nobody has opened a departure board lately.*Add `near`/,
    );
    expect(textOf(networkView(state({}), { mode: "bus" }, 0))).toContain("No bus disruptions are reported");
    const alone = networkView(state({ isNational: false }), { mode: "bus" }, 0);
    expect(textOf(alone)).toContain("I don't know how buses are running");
  });

  it("gives the reasons for London's disruptions if they are few, and says what is not known", () => {
    const reason = { entries: [networkEntry({ description: "A signal failed at Euston." })] };
    const victoria = line("Victoria line", { line: "victoria", mode: "tube", ...reason });
    const few = textOf(networkView(state({ lines: [victoria], stations: 0, missing: ["transport"] }), {}, 0));
    expect(few).toContain("🟡 🚇 **Victoria line** · Minor delays\n-# A signal failed at Euston.");
    expect(few).toContain("-# Trains: nobody has opened a departure board lately");
    expect(few).toContain("some operators are missing");
    const closed = Array.from({ length: 6 }, (_, index) => ({
      ...victoria,
      name: `Line ${index}`,
      severity: "closed" as const,
    }));
    const night = textOf(
      networkView(state({ lines: closed, londonStale: { ageMinutes: 2, why: "timeout" } }), {}, 0),
    );
    expect(night).toContain("⚫ **Closed now:** tube and metro 6\n");
    expect(night).toContain("-# The status of London's lines is 2 min old: I couldn't get anything newer.");
    const many = Array.from({ length: 6 }, (_, index) => ({ ...victoria, name: `Line ${index}` }));
    expect(textOf(networkView(state({ lines: many, missing: ["tfl"] }), {}, 0))).not.toContain(
      "signal failed",
    );
    expect(textOf(networkView(state({ lines: [victoria] }), { mode: "tube" }, 0))).not.toContain("Trains:");
  });

  it("has a menu of lines, whose details have times", () => {
    const entries = [networkEntry({ from: ukTime("18:00"), until: ukTime("21:00") }), networkEntry()];
    const menu = blocksOf(networkView(state({ lines: [line("LNER")] }), {}, 0)).find(
      (block) => block.type === "select",
    );
    expect(menu?.choices).toEqual([
      { label: "🟡 LNER", value: lineKey(line("LNER")), description: "Minor delays" },
    ]);
    const details = networkLineView(line("LNER", { entries }), state({}));
    expect(details.visibility).toBe("private");
    expect(textOf(details)).toContain("A signal failed.\n-# From 18:00 · Until 21:00\nA signal failed.");
  });
});

it("distances are rounded as people say them", () => {
  expect([4, 94, 994, 996, 9_940, 25_400].map(formatDistance)).toEqual([
    "10 m",
    "90 m",
    "990 m",
    "0.6 miles",
    "6.2 miles",
    "16 miles",
  ]);
});
