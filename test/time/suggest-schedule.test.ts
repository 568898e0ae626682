import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSchedule } from "../../src/time/parse-schedule.ts";
import { suggestDays, suggestEvery, suggestZones } from "../../src/time/suggest-schedule.ts";

const DEFAULTS = { zone: "Europe/London" };

describe("suggestions for the interval", () => {
  test("start with common ones", () => {
    expect(suggestEvery("").slice(0, 3)).toEqual(["5 minutes", "10 minutes", "15 minutes"]);
  });

  test("read a number as minutes and as hours", () => {
    expect(suggestEvery("7")).toEqual(["7 minutes", "7 hours"]);
    expect(suggestEvery("1")).toEqual(["1 minute", "1 hour", "10 minutes", "15 minutes"]);
  });

  test("do not include intervals below a minute", () => {
    expect(suggestEvery("30 seconds")).toEqual([]);
  });

  test("are empty for unreadable text, because Enter would replace the text", () => {
    expect(suggestEvery("fortnight")).toEqual([]);
    expect(suggestDays("Funday")).toEqual([]);
    expect(suggestZones("Qwghlm")).toEqual([]);
  });
});

describe("suggestions for days", () => {
  test("start with common ones", () => {
    expect(suggestDays("").slice(0, 4)).toEqual(["every day", "weekdays", "weekends", "Mondays"]);
  });

  test("match the beginning of a name, even after a comma", () => {
    expect(suggestDays("we")).toEqual(["Wednesdays", "weekdays", "weekends"]);
    expect(suggestDays("Mon, W")).toEqual(["Mon, Wednesdays"]);
  });

  test("show how the text is understood", () => {
    expect(suggestDays("fri-mon")).toEqual(["Friday to Monday"]);
  });
});

describe("suggestions for the zone", () => {
  test("start with London", () => {
    expect(suggestZones("").slice(0, 2)).toEqual(["Europe/London", "Europe/Dublin"]);
  });

  test.each([
    ["lond", "Europe/London"],
    ["york", "America/New_York"],
    ["uk time", "Europe/London"],
    ["kathm", "Asia/Kathmandu"],
    ["ireland", "Europe/Dublin"],
    ["america/los", "America/Los_Angeles"],
  ])("start with the best match for %j", (text, zone) => {
    expect(suggestZones(text)[0]).toBe(zone);
  });
});

test("every suggestion can be parsed", () => {
  const typed = fc.oneof(fc.string(), fc.stringMatching(/^[a-z]{0,4}( |, )?[a-z0-9]{0,3}$/));
  fc.assert(
    fc.property(typed, (text) => {
      const offers = [
        ...suggestEvery(text).map((every) => ({ every })),
        ...suggestDays(text).map((days) => ({ days })),
        ...suggestZones(text)
          .slice(0, 25)
          .map((zone) => ({ zone })),
      ];
      offers.forEach((offer) => parseSchedule(offer, DEFAULTS));
      expect(text.trim() !== "" || offers.length >= 3).toBe(true);
      expect(offers.flatMap((offer) => Object.values(offer)).every((value) => value.length <= 100)).toBe(
        true,
      );
    }),
  );
});
