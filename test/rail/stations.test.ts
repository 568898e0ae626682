import * as fc from "fast-check";
import stationList from "uk-railway-stations" with { type: "json" };
import { describe, expect, test } from "vitest";
import { ALIASES, WELL_KNOWN } from "../../src/rail/station-index.ts";
import { createStations } from "../../src/rail/stations.ts";
import { drawTypingMistakes } from "../../bench/typing-mistakes.ts";
import { cases } from "../support/cases.ts";
import { resultOrMessage } from "../support/outcomes.ts";
import { anyCharacter } from "../support/any-character.ts";

const stations = createStations();
const codes = (text: string, limit = 5): string[] => stations.suggest(text, limit).map(({ crs }) => crs);

/** The code of the station that is found, or the error message. */
function answerTo(text: string): string {
  return resultOrMessage(() => stations.resolve(text).crs);
}

describe("the list of stations", () => {
  test("contains 2,608 stations, each with a code of three capital letters", () => {
    expect(stationList).toHaveLength(2608);
    for (const { crsCode, stationName, lat, long } of stationList) {
      expect(crsCode).toMatch(/^[A-Z]{3}$/);
      expect(stations.byCrs(crsCode.toLowerCase())).toEqual({
        crs: crsCode,
        name: stationName,
        latitude: lat,
        longitude: long,
      });
    }
  });

  test("has an existing code for every well-known station and alias, and each alias once", () => {
    expect([...WELL_KNOWN, ...Object.keys(ALIASES)].filter((crs) => !stations.byCrs(crs))).toEqual([]);
    const all = Object.values(ALIASES).flat();
    expect(new Set(all.map((alias) => alias.toLowerCase())).size).toBe(all.length);
    expect(new Set(WELL_KNOWN).size).toBe(WELL_KNOWN.length);
  });

  test("has no alias that hides another station's name", () => {
    for (const [crs, aliases] of Object.entries(ALIASES)) {
      for (const alias of aliases) {
        expect([alias, stations.resolve(alias).crs]).toEqual([alias, crs]);
      }
    }
  });
});

describe("resolving a station", () => {
  test("finds every station by its name, by its code and by its label in the list", () => {
    for (const { crsCode, stationName } of stationList) {
      expect(stations.resolve(stationName).crs).toBe(crsCode);
      expect(stations.resolve(` ${crsCode.toLowerCase()} `).crs).toBe(crsCode);
      expect(stations.resolve(`${stationName} (${crsCode})`).crs).toBe(crsCode);
    }
  });

  test.each([
    ["kings cross", "KGX"],
    ["Brum", "BHM"],
    ["saint pancras", "STP"],
    ["ELEPHANT AND CASTLE", "EPH"],
    ["st. james park", "SJP"],
    ["Newcastle", "NCL"],
    ["Hayes (Kent) (HYS)", "HYS"],
    ["how wood", "HWW"],
    ["howwood", "HOZ"],
    ["Yörk", "YRK"],
  ])("resolves %s to %s", (text, crs) => {
    expect(stations.resolve(text).crs).toBe(crs);
  });

  test.each([
    ["yrok", "YRK"],
    ["Newcaslte", "NCL"],
    ["birmigham", "BHM"],
    ["Peterbrough", "PBO"],
    ["Łeeds", "LDS"],
    ["Peterb", "PBO"],
  ])("resolves %s, which can mean nothing else, to %s", (text, crs) => {
    expect(answerTo(text)).toBe(crs);
  });

  test("suggests up to three similar stations if it is not sure", () => {
    expect(answerTo("Manchestr Road")).toMatch(
      /^I don't know a station called “Manchestr Road”\. Did you mean .+ \([A-Z]{3}\)\? Pick one from the list as you type\.$/,
    );
    expect(answerTo("Lond")).toMatch(/Did you mean London .+, London .+ or London .+\?/);
  });

  test.each(["LBA", "🚂", "Narnia", "xyzzy"])(
    "suggests nothing for %s, which resembles no station",
    (text) => {
      expect(answerTo(text)).toBe(
        `I don't know a station called “${text}”. Check the spelling, or type its three-letter code, e.g. YRK.`,
      );
    },
  );

  test("does not accept a name with another station's code", () => {
    expect(answerTo("Leeds (YRK)")).toContain("I don't know a station called “Leeds \\(YRK\\)”");
  });

  test("gives a useful error for no text, an emoji and a very long text", () => {
    expect(answerTo("")).toBe("Which station? Type its name or three-letter code, e.g. York or YRK.");
    expect(answerTo("🚂")).toContain("“🚂”");
    expect(answerTo("x".repeat(300))).toContain(`“${"x".repeat(40)}…”`);
    expect(answerTo("**@everyone**")).toContain("“\\*\\*\\@everyone\\*\\*”");
  });

  test("finds a station or gives a known error, whatever is typed", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (text) => {
        expect(stations.suggest(text, 25).length).toBeLessThanOrEqual(25);
        expect(answerTo(text)).toMatch(
          /^[A-Z]{3}$|^Which station|^I don't know a station called “|^I have boards for train stations/,
        );
      }),
      { numRuns: cases(100) },
    );
  });
});

describe("suggesting stations", () => {
  test("offers well-known stations before anything is typed", () => {
    expect(codes("  ", 3)).toEqual(["EUS", "KGX", "PAD"]);
  });

  test.each([
    ["yrk", "YRK"],
    ["york", "YRK"],
    ["manch", "MAN"],
    ["kings", "KGX"],
    ["kingscross", "KGX"],
    ["cross kings", "KGX"],
    ["picadilly manchester", "MAN"],
    ["euston", "EUS"],
    ["glasgow", "GLC"],
    ["newport", "NWP"],
    ["manchst", "MAN"],
    ["kigns cr", "KGX"],
    ["oyrk", "YRK"],
    ["xork", "YRK"],
    ["sain panc", "STP"],
    ["elephant castle", "EPH"],
    ["elephant & castle", "EPH"],
    ["York (YRK)", "YRK"],
    ["Stoke on Trent", "SOT"],
    ["temple meeds", "BRI"],
  ])("puts the right one first for %s", (text, crs) => {
    expect(codes(text)[0]).toBe(crs);
  });

  test("puts a person's own stations first if they match as well as others", () => {
    const own = (text: string) => stations.suggest(text, 5, ["YRM", "LDS", "ZZZ"]).map(({ crs }) => crs);
    expect(own("")).toEqual(["YRM", "LDS", "EUS", "KGX", "PAD"]);
    expect(codes("y")[0]).toBe("YRK");
    expect(own("y").slice(0, 2)).toEqual(["YRM", "YRK"]);
    // Complete names and codes still come first.
    expect(own("york")[0]).toBe("YRK");
    expect(own("yrk")[0]).toBe("YRK");
    expect(own("lon")).not.toContain("LDS");
  });

  test("puts the station with the typed code before all others", () => {
    for (const { crsCode } of stationList) {
      expect(codes(crsCode, 1)).toEqual([crsCode]);
    }
  });

  test("finds long names with one typing mistake among the first five", () => {
    const drawn = drawTypingMistakes(stationList, 20_261_121);
    const missed = drawn.filter(({ typed, crs }) => !codes(typed).includes(crs));
    expect(drawn.length).toBeGreaterThan(8_000);
    expect(missed.length / drawn.length).toBeLessThanOrEqual(0.02);
  });

  test("keeps within the limit and repeats nothing", () => {
    const found = codes("London", 25);
    expect(found).toHaveLength(25);
    expect(new Set(found).size).toBe(25);
    expect(codes("York (YRK)", 1)).toEqual(["YRK"]);
  });

  test("suggests nothing for text that resembles no station", () => {
    expect(codes("🚂🚂🚂")).toEqual([]);
    expect(codes("zzzzzzzzzzzz")).toEqual([]);
  });
});
