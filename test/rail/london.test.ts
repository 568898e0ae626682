import { describe, expect, it } from "vitest";
import { boardButtons } from "../../src/rail/board-args.ts";
import { boardPictureModel } from "../../src/rail/board-picture-view.ts";
import { countMinutes, createBoardRow } from "../../src/rail/board-row.ts";
import { boardAltText, boardMarkdown, boardView } from "../../src/rail/board-view.ts";
import { findLine, requireLine } from "../../src/rail/london.ts";
import { parseTrainWords } from "../../src/rail/parse-train-words.ts";
import { viaStationOption } from "../../src/rail/station-options.ts";
import { type Stations, createStations, stationLabel } from "../../src/rail/stations.ts";
import { londonStops } from "../../src/sources/tfl/london-stops.ts";
import type { TransportRow } from "../../src/sources/transport-data.ts";
import { board, ukTime } from "../support/boards.ts";
import { resultOrMessage } from "../support/outcomes.ts";

const stations = createStations({ hasLondon: true });
const OXFORD_CIRCUS = stations.live.resolve("940GZZLUOXC");

/** The code of the place that is found, or the error message. */
function answerTo(text: string, among: Pick<Stations["live"], "resolve"> = stations.live): string {
  return resultOrMessage(() => among.resolve(text).crs);
}

describe("places with live boards", () => {
  it.each([
    ["Oxford Circus", "940GZZLUOXC"],
    ["oxford circus (tube)", "940GZZLUOXC"],
    ["oxford cirucs", "940GZZLUOXC"],
    ["940gzzluoxc", "940GZZLUOXC"],
    ["victoria tube", "940GZZLUVIC"],
    ["Bank", "940GZZLUBNK"],
    ["bank dlr", "940GZZDLBNK"],
    ["Victoria underground", "940GZZLUVIC"],
    ["oxford cirkus tube", "940GZZLUOXC"],
    ["Stratford DLR", "940GZZDLSTD"],
    ["Greenwich Pier", "930GGNW"],
    // The names and aliases of railway stations still mean these.
    ["Victoria", "VIC"],
    ["Stratford", "SRA"],
    ["London Bridge", "LBG"],
    ["london brigde", "LBG"],
    ["Kings Cross", "KGX"],
    ["York", "YRK"],
    ["VIC", "VIC"],
  ])("are found: %s is %s", (text, code) => {
    expect(answerTo(text)).toBe(code);
  });

  it("are all found by their labels in the list, which are all different", () => {
    const labels = londonStops.map(({ id }) => stationLabel(stations.live.resolve(id)));
    expect(new Set(labels).size).toBe(londonStops.length);
    expect(labels.map((label) => answerTo(label))).toEqual(londonStops.map(({ id }) => id));
  });

  it("are listed together, London's marked and the railway's first", () => {
    const labels = (text: string) => stations.live.suggest(text, 2).map(stationLabel);
    expect(labels("London Bridge")).toEqual(["London Bridge (LBG)", "London Bridge (Tube)"]);
    expect(labels("oxford c")[0]).toBe("Oxford Circus (Tube)");
    expect(labels("victoria")).toEqual(["London Victoria (VIC)", "Victoria (Tube)"]);
  });

  it("have way stations to choose from for a train station, but none for a London stop", () => {
    const offered = (station: string) =>
      viaStationOption.autocomplete({ text: "y", typed: { station }, recent: [], services: { stations } });
    expect(offered("940GZZLUOXC")).toEqual([]);
    expect(offered("York").length).toBeGreaterThan(5);
  });

  it("are only railway stations for a timetable, or if London is off", () => {
    expect(stations.suggest("oxford circ", 25)).toEqual([]);
    expect(stations.byCrs("940GZZLUOXC")?.name).toBe("Oxford Circus (Tube)");
    expect(answerTo("Oxford Circus", stations)).toMatch(
      /needs a train station.*`\/departures`.*`\/watch line`/,
    );
    expect(answerTo("Oxford Circus", createStations().live)).toMatch(/none for tubes/);
    expect(answerTo("Oxford Circus", createStations({ hasPlaces: false }).live)).not.toContain("/places");
    expect(answerTo("Deansgate Metrolink")).toMatch(/London's lines, but none for other metros/);
  });
});

describe("a bot with London's lines only", () => {
  const london = createStations({ hasLondon: true, hasRailway: false });

  it("takes every name as a stop's, and suggests stops before anything is typed", () => {
    expect(answerTo("Victoria", london.live)).toBe("940GZZLUVIC");
    expect(london.live.suggest("", 25)).toHaveLength(25);
    expect(london.live.suggest("York", 25).map(stationLabel)).not.toContain("York (YRK)");
  });

  it.each([london, london.live])("says that it has no railway stations", (among) => {
    expect(answerTo("Penzance", among)).toMatch(/I only have live data for London's lines.*“Penzance”/);
  });

  it("does not deny its own stops if a train station is required", () => {
    const answer = answerTo("Oxford Circus", london);
    expect(answer).toMatch(/^This needs a train station.*“Oxford Circus”.*`\/departures`/);
    expect(answer).not.toContain("no stop");
  });
});

it("reads a stop's name in a message to the bot", () => {
  expect(parseTrainWords("Camden Town", stations.live)).toEqual({ station: "Camden Town", to: undefined });
  expect(parseTrainWords("Camden Town", stations)).toBeUndefined();
});

describe("London's lines", () => {
  it.each([
    ["victoria", "victoria"],
    ["Victoria line", "victoria"],
    ["hammersmith and city", "hammersmith-city"],
    ["Hammersmith & City line", "hammersmith-city"],
    ["met", "metropolitan"],
    ["Elizabeth", "elizabeth"],
    ["dlr", "dlr"],
  ])("are known by name: %s", (text, id) => {
    expect(findLine(text)?.id).toBe(id);
  });

  it("are not guessed from a single letter or an unknown name", () => {
    expect(findLine("v")).toBeUndefined();
    expect(findLine("LNER")).toBeUndefined();
    expect(() => requireLine("LNER", ["bakerloo", "central"])).toThrow(
      "No line called “LNER” stops there. Pick one of Bakerloo line and Central line",
    );
  });
});

const MADE_AT = ukTime("2026-11-21 17:20").add({ seconds: 40 });

/** A train that is expected 39 seconds after a full minute. */
const arriving = (changed: Partial<TransportRow>, at = "17:23") =>
  countMinutes(
    createBoardRow({
      mode: "train",
      status: undefined,
      aimedAt: ukTime(`2026-11-21 ${at}`),
      expectedAt: ukTime(`2026-11-21 ${at}`).add({ seconds: 39 }),
      platform: "4",
      operatorCode: undefined,
      operatorName: "Bakerloo",
      place: "Queen's Park",
      trainUid: undefined,
      line: "bakerloo",
      direction: "Northbound",
      timing: "expected-only",
      ...changed,
    }),
    MADE_AT,
  );

const shown = board(
  [
    arriving({}, "17:21"),
    arriving({}),
    arriving({ line: "new-line", operatorName: "New", platform: undefined, direction: undefined }),
  ],
  { asked: { station: OXFORD_CIRCUS }, dataAt: ukTime("2026-11-21 17:19") },
);

describe("a board of London's trains", () => {
  it("shows minutes, never on time or late", () => {
    expect(boardMarkdown(shown).split("\n")).toEqual([
      "**17:21** Queen's Park · platform 4 · **Due**",
      "-# Bakerloo line · Northbound",
      "**17:23** Queen's Park · platform 4 · **2 min**",
      "-# Bakerloo line · Northbound",
      "**17:23** Queen's Park · **2 min**",
      "-# New",
    ]);
    expect(boardAltText(shown)).toBe(
      "Departures from Oxford Circus (Tube). As of 17:19 UK time, Sat 21 Nov. 17:21 Queen's Park, platform 4, due, Bakerloo line · Northbound. 17:23 Queen's Park, platform 4, 2 min, Bakerloo line · Northbound. 17:23 Queen's Park, 2 min, New.",
    );
  });

  it("shows each line's colour in its picture", () => {
    const { station, subtitle, headings, rows } = boardPictureModel(shown);
    expect({ station, subtitle, headings }).toEqual({
      station: "Oxford Circus",
      subtitle: "Departures · Tube",
      headings: { time: "Time", platform: "Plat", expected: "Due" },
    });
    expect(rows.map(({ expected, colour, mood }) => [expected, colour, mood])).toEqual([
      ["Due", 0xb26300, "plain"],
      ["2 min", 0xb26300, "plain"],
      ["2 min", undefined, "plain"],
    ]);
  });

  it("has no button for arrivals, and no train to open", () => {
    const buttons = boardButtons(shown, "picture");
    expect(buttons.flatMap((button) => (button ? [button.label] : []))).toEqual([
      "Earlier",
      "Refresh",
      "Later",
      "Text",
    ]);
    expect(JSON.stringify(boardView(shown, undefined))).not.toContain("Open a train");
  });

  it.each([
    ["2026-11-21 13:00", {}, "Nothing is expected at the moment."],
    ["2026-11-21 03:00", {}, "Nothing is expected at the moment. Most of London's lines don't run at night."],
    [
      "2026-11-21 13:00",
      { operator: "Victoria line" },
      "Nothing that matches is expected at the moment. Try removing a filter.",
    ],
  ])("says at %s that nothing is expected", (at, asked, words) => {
    const empty = board([], { dataAt: ukTime(at), asked: { station: OXFORD_CIRCUS, ...asked } });
    expect(boardMarkdown(empty)).toBe(words);
  });
});
