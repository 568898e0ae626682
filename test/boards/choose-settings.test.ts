import { describe, expect, it } from "vitest";
import { UserError } from "../../src/core/errors.ts";
import { type SettingsChoice, chooseSettings } from "../../src/boards/board-settings.ts";
import type { BoardSettings } from "../../src/boards/boards.ts";
import { formatTiming } from "../../src/time/schedule.ts";
import { createStations } from "../../src/rail/stations.ts";

const deps = { stations: createStations({ hasLondon: true }), timeZone: "Europe/London" };
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

const choose = (choice: SettingsChoice, base?: BoardSettings) => chooseSettings(choice, deps, base);

describe("a new board", () => {
  it("needs only a station", () => {
    expect(choose({ station: "York" })).toEqual({
      kind: "departures",
      station: "YRK",
      callingAt: [],
      callingAtAll: false,
      operator: undefined,
      platforms: [],
      transport: "all",
      walkMinutes: 0,
      rows: 8,
      look: "picture",
      mode: "edit",
      publish: false,
      schedule: { timing: { every: 5 }, days: EVERY_DAY, zone: "Europe/London" },
    });
  });

  it("understands values as people type them", () => {
    const choice: SettingsChoice = {
      station: "yrk",
      callingAt: ["Leeds", undefined, "Hull"],
      match: "all",
      operator: "gr",
      platforms: "platforms 3, 4a and 3 to 5",
      every: "10 min",
      days: "weekdays",
      between: "07:00-09:30",
      zone: "New York",
    };
    expect(choose(choice)).toMatchObject({
      callingAt: ["LDS", "HUL"],
      callingAtAll: true,
      operator: "LNER",
      platforms: ["3", "4A", "4", "5"],
      schedule: {
        timing: { every: 10 },
        days: [1, 2, 3, 4, 5],
        hours: { from: "07:00", to: "09:30" },
        zone: "America/New_York",
      },
    });
  });

  it("has the same platforms whichever end of a range comes first", () => {
    expect(choose({ station: "York", platforms: "6-4, 8" }).platforms).toEqual(["4", "5", "6", "8"]);
  });

  it("posts new messages if it publishes, because an edit cannot be published", () => {
    const published = choose({ station: "York", publish: true });
    expect([published.mode, formatTiming(published.schedule.timing)]).toEqual(["post", "every 10 minutes"]);
    expect(choose({ station: "York", publish: true, mode: "replace" }).mode).toBe("replace");
  });

  it.each<[string, SettingsChoice]>([
    ["an unknown station", { station: "Hogwarts" }],
    ["an unknown calling point", { station: "York", callingAt: [undefined, "Hogwarts"] }],
    ["an unknown operator", { station: "York", operator: "Acme Rockets" }],
    ["an interval below a minute", { station: "York", every: "30 seconds" }],
    ["a zone that does not exist", { station: "York", zone: "Mars/Olympus" }],
    ["two timings at once", { station: "York", every: "5", at: "07:30" }],
    ["times that never occur", { station: "York", at: "12:00", between: "07:00-09:00" }],
  ])("refuses %s with a UserError", (_, choice) => {
    expect(() => choose(choice)).toThrow(UserError);
  });
});

describe("a change", () => {
  const base = choose({
    station: "York",
    callingAt: ["Leeds", "Hull"],
    operator: "LNER",
    platforms: "3",
    at: "07:30, 08:30",
    days: "weekdays",
    between: "07:00-09:00",
    zone: "New York",
  });

  it("leaves other settings unchanged", () => {
    expect(choose({}, base)).toEqual(base);
    expect(choose({ rows: 3 }, base)).toEqual({ ...base, rows: 3 });
    expect(choose({ days: "Sat" }, base)).toEqual({ ...base, schedule: { ...base.schedule, days: [6] } });
  });

  it("changes calling points one by one", () => {
    expect(choose({ callingAt: [undefined, "Selby"] }, base).callingAt).toEqual(["LDS", "SBY"]);
    expect(choose({ callingAt: ["anywhere"] }, base).callingAt).toEqual(["HUL"]);
    expect(choose({ callingAt: [undefined, undefined, "Selby"] }, base).callingAt).toEqual([
      "LDS",
      "HUL",
      "SBY",
    ]);
  });

  it("removes filters and hours", () => {
    const cleared = choose({ operator: "any", platforms: "all", between: "all day" }, base);
    expect(cleared).toMatchObject({ operator: undefined, platforms: [] });
    expect(cleared.schedule).not.toHaveProperty("hours");
  });

  it("replaces times with an interval or with other times", () => {
    expect(choose({ every: "10" }, base).schedule.timing).toEqual({ every: 10 });
    expect(choose({ at: "8:00" }, base).schedule.timing).toEqual({ at: ["08:00"] });
  });

  it("refuses hours that exclude all of the board's times", () => {
    expect(() => choose({ between: "10:00-12:00" }, base)).toThrow(UserError);
  });
});

describe("a board of a London stop", () => {
  const tube = choose({ station: "Oxford Circus", operator: "central", walkMinutes: 4 });

  it("can be limited to a line, and comes every minute by default", () => {
    expect(tube).toMatchObject({
      station: "940GZZLUOXC",
      operator: "Central line",
      schedule: { timing: { every: 1 } },
    });
    expect(choose({ station: "Oxford Circus", at: "7:30" }).schedule.timing).toEqual({ at: ["07:30"] });
    expect(() => choose({ station: "Oxford Circus", operator: "Jubilee" })).toThrow(
      /Pick one of Bakerloo line, Central line and Victoria line/,
    );
  });

  it("loses filters that do not apply if it changes to or from a railway station", () => {
    expect(choose({ station: "York" }, tube)).toMatchObject({
      station: "YRK",
      operator: undefined,
      walkMinutes: 4,
      schedule: tube.schedule,
    });
    const york = choose({ station: "York", callingAt: ["Leeds"], operator: "LNER", kind: "arrivals" });
    expect(choose({ station: "Oxford Circus" }, york)).toMatchObject({
      kind: "departures",
      callingAt: [],
      operator: undefined,
    });
    expect(choose({ rows: 3 }, tube)).toMatchObject({ operator: "Central line", rows: 3 });
  });
});
