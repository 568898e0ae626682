import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Schedule, Timing, Weekday } from "../../src/time/schedule.ts";
import { countSlots, lastSlot, nextSlot } from "../../src/time/slots.ts";
import { slotsBetween } from "../support/slots-between.ts";
import { ukTime } from "../support/boards.ts";
import { anySchedule, slowSlots, weeksAround } from "./slow-slots.ts";
import { cases } from "../support/cases.ts";

const WEEKDAYS: readonly Weekday[] = [1, 2, 3, 4, 5];
const DAILY: readonly Weekday[] = [1, 2, 3, 4, 5, 6, 7];

function schedule(timing: Timing, changed: Partial<Schedule> = {}): Schedule {
  return { timing, days: DAILY, zone: "Europe/London", ...changed };
}

/** The slots of some days in London, except the last one, in local time, e.g. `Mon 07:00`. */
function shown(board: Schedule, fromDate: string, toDate: string): readonly string[] {
  const wall = new Intl.DateTimeFormat("en-GB", {
    timeZone: "Europe/London",
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  const [fromMs = 0, toMs = 0] = [fromDate, toDate].map((date) => ukTime(`${date} 00:00`).epochMilliseconds);
  return slotsBetween(board, fromMs - 1, toMs - 1).map((slot) => wall.format(slot));
}

function at(text: string): number {
  return Date.parse(text);
}

describe("an interval", () => {
  const RUSH = ["07:00", "07:30", "08:00", "08:30", "09:00", "09:30"];

  test.each(["2026-03-23", "2026-03-30", "2026-10-19", "2026-10-26"])(
    "follows local time on the weekdays of the week of %s",
    (monday) => {
      const board = schedule({ every: 30 }, { days: WEEKDAYS, hours: { from: "07:00", to: "09:30" } });
      const sunday = new Date(at(`${monday}T00:00Z`) + 7 * 86_400_000).toISOString().slice(0, 10);
      expect(shown(board, monday, sunday)).toEqual(
        ["Mon", "Tue", "Wed", "Thu", "Fri"].flatMap((day) => RUSH.map((time) => `${day} ${time}`)),
      );
    },
  );

  test("starts again each midnight if it does not divide the day evenly", () => {
    const slots = shown(schedule({ every: 540 }), "2026-11-18", "2026-11-20");
    expect(slots).toEqual(["Wed 00:00", "Wed 09:00", "Wed 18:00", "Thu 00:00", "Thu 09:00", "Thu 18:00"]);
  });

  test("counts elapsed minutes when clocks go forward", () => {
    const slots = shown(schedule({ every: 45 }), "2026-03-29", "2026-03-30");
    expect(slots.slice(0, 5)).toEqual(["Sun 00:00", "Sun 00:45", "Sun 02:30", "Sun 03:15", "Sun 04:00"]);
    expect(slots.at(-1)).toBe("Sun 23:30");
  });

  test("counts elapsed minutes when clocks go back", () => {
    const slots = shown(schedule({ every: 45 }), "2026-10-25", "2026-10-26");
    expect(slots.slice(0, 5)).toEqual(["Sun 00:00", "Sun 00:45", "Sun 01:30", "Sun 01:15", "Sun 02:00"]);
  });

  test("continues past midnight after the days on which its hours begin", () => {
    const friday = schedule({ every: 60 }, { days: [5], hours: { from: "22:00", to: "02:00" } });
    expect(shown(friday, "2026-11-16", "2026-11-23")).toEqual([
      "Fri 22:00",
      "Fri 23:00",
      "Sat 00:00",
      "Sat 01:00",
      "Sat 02:00",
    ]);
  });

  test("has one slot fewer or one more in a night in which clocks change", () => {
    const saturday = schedule({ every: 60 }, { days: [6], hours: { from: "22:00", to: "02:00" } });
    expect(shown(saturday, "2026-03-28", "2026-03-30")).toEqual([
      "Sat 22:00",
      "Sat 23:00",
      "Sun 00:00",
      "Sun 02:00",
    ]);
    expect(shown(saturday, "2026-10-24", "2026-10-26")).toHaveLength(6);
  });

  test("begins later and ends earlier if clocks skip the beginning or end of its hours", () => {
    const within = (from: string, to: string) =>
      shown(schedule({ every: 15 }, { hours: { from, to } }), "2026-03-29", "2026-03-30");
    expect(within("01:20", "02:20")).toEqual(["Sun 02:20"]);
    expect(within("00:00", "01:20")).toEqual(["Sun 00:00", "Sun 00:15"]);
    expect(within("01:10", "01:50")).toEqual([]);
  });
});

describe("fixed times", () => {
  test("are the same in local time each day", () => {
    const board = schedule({ at: ["07:30", "17:15"] });
    expect(shown(board, "2026-03-28", "2026-03-31")).toEqual([
      "Sat 07:30",
      "Sat 17:15",
      "Sun 07:30",
      "Sun 17:15",
      "Mon 07:30",
      "Mon 17:15",
    ]);
  });

  test("are an hour later if clocks skip them, and only the first of two if clocks repeat them", () => {
    const board = schedule({ at: ["01:30"] });
    expect(nextSlot(board, at("2026-03-28T12:00Z"))).toBe(at("2026-03-29T01:30Z"));
    expect(nextSlot(board, at("2026-10-24T12:00Z"))).toBe(at("2026-10-25T00:30Z"));
    expect(nextSlot(board, at("2026-10-25T00:30Z"))).toBe(at("2026-10-26T01:30Z"));
  });

  test("are one slot if two of them fall on the same instant", () => {
    const board = schedule({ at: ["01:30", "02:30"] });
    expect(shown(board, "2026-03-29", "2026-03-30")).toEqual(["Sun 02:30"]);
    expect(countSlots(board, at("2026-03-28T12:00Z"), at("2026-03-29T12:00Z"))).toBe(1);
  });

  test("are in order even if a skipped one falls after the next day's first", () => {
    const board = schedule({ at: ["00:10", "23:30"] }, { zone: "America/Nuuk" });
    const [first, second] = [at("2026-03-29T00:10-01:00"), at("2026-03-29T00:30-01:00")];
    expect(nextSlot(board, at("2026-03-28T12:00Z"))).toBe(first);
    expect(nextSlot(board, first)).toBe(second);
    expect(lastSlot(board, second - 1)).toBe(first);
    expect(lastSlot(board, at("2026-03-29T12:00Z"))).toBe(second);
  });

  test("continue after a day that a zone skipped", () => {
    const board = schedule(
      { at: ["00:01"] },
      { days: [4], hours: { from: "00:02", to: "00:01" }, zone: "Pacific/Apia" },
    );
    expect(nextSlot(board, at("2011-12-31T00:00+14:00"))).toBe(at("2011-12-31T00:01+14:00"));
  });

  test("are never outside the hours", () => {
    const day = schedule({ at: ["06:59", "07:00", "12:00"] }, { hours: { from: "07:00", to: "09:30" } });
    expect(shown(day, "2026-11-18", "2026-11-19")).toEqual(["Wed 07:00"]);
    const never = schedule({ at: ["12:00"] }, { hours: { from: "07:00", to: "09:30" } });
    expect(nextSlot(never, at("2026-11-18T12:00Z"))).toBeUndefined();
    expect(lastSlot(never, at("2026-11-18T12:00Z"))).toBeUndefined();
  });

  test("after midnight belong to the day on which the hours begin", () => {
    const friday = schedule({ at: ["01:00", "23:00"] }, { days: [5], hours: { from: "22:00", to: "02:00" } });
    expect(shown(friday, "2026-11-16", "2026-11-23")).toEqual(["Fri 23:00", "Sat 01:00"]);
  });
});

test("nextSlot excludes the given time and lastSlot includes it", () => {
  const board = schedule({ every: 10 });
  const slot = at("2026-11-18T07:10Z");
  expect(nextSlot(board, slot)).toBe(at("2026-11-18T07:20Z"));
  expect(nextSlot(board, slot - 1)).toBe(slot);
  expect(lastSlot(board, slot)).toBe(slot);
  expect(lastSlot(board, slot - 1)).toBe(at("2026-11-18T07:00Z"));
});

test("a weekly slot is found from just after the previous one", () => {
  const board = schedule({ at: ["12:00"] }, { days: [3] });
  expect(nextSlot(board, at("2026-11-18T12:00Z"))).toBe(at("2026-11-25T12:00Z"));
  expect(lastSlot(board, at("2026-11-25T11:59Z"))).toBe(at("2026-11-18T12:00Z"));
});

// Zones whose clocks change by half an hour, across midnight, by a whole day, or never.
describe.each([
  ["Europe/London", "2026-03-29"],
  ["Europe/London", "2026-10-25"],
  ["America/New_York", "2026-03-08"],
  ["America/New_York", "2026-11-01"],
  ["Australia/Lord_Howe", "2026-04-05"],
  ["Australia/Lord_Howe", "2026-10-04"],
  ["Asia/Kathmandu", "2026-06-01"],
  ["UTC", "2026-03-29"],
  ["Pacific/Apia", "2026-10-04"],
  ["Pacific/Apia", "2011-12-30"],
  ["America/Nuuk", "2026-03-28"],
  ["America/Nuuk", "2026-10-24"],
  ["Atlantic/Azores", "2026-03-29"],
  ["America/St_Johns", "2010-11-07"],
])("in %s around %s", (zone, date) => {
  const weeks = weeksAround(zone, date);

  test("the slots agree with slowSlots", () => {
    const middleMs = at(`${date}T00:00Z`);
    const minutes = fc.integer({ min: -5 * 1_440, max: 5 * 1_440 });
    const moment = fc
      .tuple(minutes, fc.constantFrom(0, 0, 1, 59_999))
      .map(([minute, ms]) => middleMs + minute * 60_000 + ms);
    fc.assert(
      fc.property(anySchedule(zone), moment, moment, (board, one, other) => {
        const [fromMs, toMs] = [Math.min(one, other), Math.max(one, other)];
        const slots = slowSlots(board, weeks);
        const between = slots.filter((slot) => fromMs < slot && slot <= toMs);
        expect(slotsBetween(board, fromMs, toMs)).toEqual(between);
        expect(countSlots(board, fromMs, toMs)).toBe(between.length);
        expect(nextSlot(board, fromMs)).toBe(slots.find((slot) => slot > fromMs));
        expect(lastSlot(board, toMs)).toBe(slots.findLast((slot) => slot <= toMs));
      }),
      { numRuns: cases(300) },
    );
  });
});
