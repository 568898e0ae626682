import { describe, expect, it } from "vitest";
import { createLog } from "../../src/core/log.ts";
import {
  createWatchReader,
  nextWindowMs,
  openWindows,
  windowsBetween,
} from "../../src/watches/watch-days.ts";
import { ukTime } from "../support/boards.ts";
import { watchSettings, watchedCommute, watchedTrain } from "../support/watches.ts";
import { watchRecord } from "./watch-record.ts";

const ms = (text: string) => ukTime(text).epochMilliseconds;
const commute = (from: string, to: string, days: readonly (1 | 2 | 3 | 4 | 5 | 6 | 7)[] = [1, 2, 3, 4, 5]) =>
  watchSettings({ what: watchedCommute({ hours: { from, to }, days }) });
const days = (settings: ReturnType<typeof commute>, at: string) =>
  openWindows(settings, ms(at)).map(({ day }) => day);

describe("a train's window", () => {
  it("begins with its lead time, and is named by the day on which the train starts", () => {
    const what = watchedTrain({ aimedMs: ms("2026-11-22 00:04"), startDate: "2026-11-21" });
    const settings = watchSettings({ what });
    expect(days(settings, "2026-11-21 23:03")).toEqual([]);
    expect(nextWindowMs(settings, ms("2026-11-21 23:03"))).toBe(ms("2026-11-21 23:04"));
    expect(days(settings, "2026-11-21 23:04")).toEqual(["2026-11-21"]);
    expect(days(settings, "2026-11-22 04:05")).toEqual([]);
    expect(nextWindowMs(settings, ms("2026-11-21 23:04"))).toBeUndefined();
    const unnamed = watchSettings({ what: { ...what, startDate: undefined } });
    expect(days(unnamed, "2026-11-22 00:00")).toEqual(["2026-11-22"]);
  });
});

describe("a commute's windows", () => {
  it("are its hours on its days, with the lead time before them", () => {
    const settings = commute("07:00", "09:00");
    expect(days(settings, "2026-11-20 05:59")).toEqual([]);
    expect(days(settings, "2026-11-20 06:00")).toEqual(["2026-11-20"]);
    expect(days(settings, "2026-11-21 08:00")).toEqual([]);
    expect(nextWindowMs(settings, ms("2026-11-20 06:00"))).toBe(ms("2026-11-23 06:00"));
    expect(nextWindowMs(commute("07:00", "09:00", [5]), ms("2026-11-20 06:00"))).toBe(ms("2026-11-27 06:00"));
  });

  it("may cross midnight, and begin on the day before if the lead time does", () => {
    expect(days(commute("22:00", "01:00"), "2026-11-21 00:30")).toEqual(["2026-11-20"]);
    expect(openWindows(commute("22:00", "01:00"), ms("2026-11-21 00:30"))).toMatchObject([
      { firstMs: ms("2026-11-20 22:00"), lastMs: ms("2026-11-21 01:01") - 1 },
    ]);
    expect(days(commute("00:30", "02:00"), "2026-11-19 23:45")).toEqual(["2026-11-20"]);
  });

  it("follow local time when clocks change", () => {
    const settings = commute("07:00", "09:00", [6, 7]);
    expect(nextWindowMs(settings, ms("2026-10-24 12:00"))).toBe(Date.UTC(2026, 9, 25, 6));
    expect(nextWindowMs(settings, ms("2026-10-23 12:00"))).toBe(Date.UTC(2026, 9, 24, 5));
    expect(openWindows(commute("01:30", "02:15", [7]), Date.UTC(2027, 2, 28, 1))).toMatchObject([
      { firstMs: Date.UTC(2027, 2, 28, 1, 30), lastMs: Date.UTC(2027, 2, 28, 1, 31) - 1 },
    ]);
  });

  it("are all found within a day and a night", () => {
    const span = { fromMs: ms("2026-11-20 08:00"), toMs: ms("2026-11-21 09:00") };
    expect(windowsBetween(commute("07:00", "09:00", [4, 5, 6]), span).map(({ day }) => day)).toEqual([
      "2026-11-20",
      "2026-11-21",
    ]);
  });
});

it("equal settings are parsed once, and a watch that cannot be parsed is left out", () => {
  const read = createWatchReader(createLog({ level: "silent", secrets: [] }));
  const record = watchRecord({ settings: JSON.stringify(watchSettings()) });
  const [one, two, ...others] = read([record, { ...record, id: "2" }, { ...record, settings: "{}" }]);
  expect(one?.watch.settings).toEqual(watchSettings());
  expect(two?.watch.settings).toBe(one?.watch.settings);
  expect(others).toEqual([]);
});
