import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UserError } from "../../src/core/errors.ts";
import { checkBoardSettings } from "../../src/boards/board-settings.ts";
import { type BoardSettings, parseBoardSettings } from "../../src/boards/boards.ts";
import { createStations } from "../../src/rail/stations.ts";
import { anySchedule } from "../time/slow-slots.ts";

const SETTINGS: BoardSettings = {
  kind: "departures",
  station: "YRK",
  callingAt: ["LDS", "MAN"],
  callingAtAll: false,
  operator: "LNER",
  platforms: ["3", "4a"],
  transport: "all",
  walkMinutes: 5,
  rows: 8,
  look: "picture",
  mode: "edit",
  publish: false,
  schedule: {
    timing: { every: 10 },
    days: [1, 2, 3, 4, 5],
    hours: { from: "07:00", to: "09:30" },
    zone: "Europe/London",
  },
};

const settings = fc.record({
  kind: fc.constantFrom("departures" as const, "arrivals" as const),
  station: fc.constantFrom("YRK", "940GZZLUOXC"),
  callingAt: fc.subarray(["LDS", "MAN", "KGX"]),
  callingAtAll: fc.boolean(),
  operator: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
  platforms: fc.array(fc.string({ minLength: 1, maxLength: 6 }), { maxLength: 8 }),
  transport: fc.constantFrom("all" as const, "trains" as const, "buses" as const),
  walkMinutes: fc.integer({ min: 0, max: 60 }),
  rows: fc.integer({ min: 1, max: 10 }),
  look: fc.constantFrom("picture" as const, "text" as const),
  mode: fc.constantFrom("edit" as const, "replace" as const, "post" as const),
  publish: fc.boolean(),
  schedule: fc.constantFrom("Europe/London", "Asia/Kathmandu", "UTC").chain(anySchedule),
});

describe("stored settings", () => {
  test("are parsed unchanged", () => {
    fc.assert(
      fc.property(settings, (kept) => {
        expect(parseBoardSettings(JSON.stringify(kept))).toEqual(kept);
      }),
    );
  });

  test("of an earlier version get the defaults of that time", () => {
    const { kind, station, rows, mode, schedule } = SETTINGS;
    expect(parseBoardSettings(JSON.stringify({ kind, station, rows, mode, schedule }))).toEqual({
      ...SETTINGS,
      callingAt: [],
      platforms: [],
      operator: undefined,
      walkMinutes: 0,
    });
  });

  test("of a later version lose unknown fields", () => {
    expect(parseBoardSettings(JSON.stringify({ ...SETTINGS, colour: "amber" }))).toEqual(SETTINGS);
  });

  test.each<[string, unknown, RegExp]>([
    ["nothing", null, /object/],
    ["a station that is not a code", { ...SETTINGS, station: "York" }, /station/],
    ["a call at a London stop", { ...SETTINGS, callingAt: ["940GZZLUOXC"] }, /callingAt/],
    ["no schedule", { ...SETTINGS, schedule: undefined }, /schedule/],
    ["rows as text", { ...SETTINGS, rows: "8" }, /rows/],
    ["eleven rows", { ...SETTINGS, rows: 11 }, /rows/],
    ["an unknown mode", { ...SETTINGS, mode: "shout" }, /mode/],
    ["both an interval and times", scheduled({ timing: { every: 5, at: ["07:30"] } }), /timing/],
    ["an interval of 0", scheduled({ timing: { every: 0 } }), /timing/],
    ["times out of order", scheduled({ timing: { at: ["17:15", "07:30"] } }), /timing/],
    ["a time that does not exist", scheduled({ timing: { at: ["24:00"] } }), /timing/],
    ["no days", scheduled({ days: [] }), /days/],
    ["a day twice", scheduled({ days: [1, 1] }), /days/],
    ["an eighth day", scheduled({ days: [8] }), /days/],
    ["hours without an end", scheduled({ hours: { from: "07:00" } }), /hours/],
    ["a zone that does not exist", scheduled({ zone: "Europe/Lundon" }), /zone/],
  ])("are refused with %s", (_, kept, path) => {
    expect(() => parseBoardSettings(JSON.stringify(kept))).toThrow(path);
  });

  test("are refused if they are not JSON", () => {
    expect(() => parseBoardSettings("{")).toThrow(SyntaxError);
  });
});

function scheduled(changed: object): object {
  return { ...SETTINGS, schedule: { ...SETTINGS.schedule, ...changed } };
}

describe("settings that a person chose", () => {
  const stations = createStations({ hasLondon: true });
  const tube = { station: "940GZZLUOXC", callingAt: [] };
  const check = (changed: Partial<BoardSettings>) => () =>
    checkBoardSettings({ ...SETTINGS, ...changed }, stations, Date.UTC(2026, 10, 18));

  test("are accepted if a board can run with them", () => {
    const most = { callingAt: ["LDS", "MAN", "KGX"], rows: 10, walkMinutes: 60 };
    expect(check({})).not.toThrow();
    expect(check({ ...tube, operator: "Victoria line" })).not.toThrow();
    expect(check({ ...most, publish: true, mode: "post" })).not.toThrow();
  });

  test.each<[string, Partial<BoardSettings>, RegExp]>([
    ["a station that closed", { station: "QQQ" }, /QQQ isn't on my list.*another/],
    ["a stop that closed", { callingAt: ["LDS", "QQQ"] }, /QQQ isn't on my list/],
    ["the station as its own stop", { callingAt: ["YRK"] }, /already a board for York/],
    ["a stop twice", { callingAt: ["LDS", "LDS"] }, /named Leeds twice/],
    ["four stops", { callingAt: ["LDS", "MAN", "KGX", "EDB"] }, /up to 3 stations/],
    ["arrivals in London", { ...tube, kind: "arrivals" }, /don't list arrivals separately/],
    ["a call after a London stop", { ...tube, callingAt: ["LDS"] }, /call at Leeds/],
    ["buses in place of London's trains", { ...tube, transport: "buses" }, /Leave `only` out/],
    ["nine platforms", { platforms: Array.from("123456789") }, /up to 8 platforms/],
    ["a platform that is a sentence", { platforms: ["platform 4"] }, /like 3 or 4a/],
    ["publishing of edited messages", { publish: true, mode: "edit" }, /A new message each time/],
    [
      "times outside the hours",
      { schedule: { ...SETTINGS.schedule, timing: { at: ["12:00"] } } },
      /12:00 is not within 07:00–09:30.*never appear/,
    ],
    ["a schedule that never fires", { schedule: { ...SETTINGS.schedule, days: [] } }, /never appear/],
  ])("are refused with %s", (_, changed, sentence) => {
    expect(check(changed)).toThrow(UserError);
    expect(check(changed)).toThrow(sentence);
  });
});
