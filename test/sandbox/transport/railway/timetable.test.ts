import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { STATIONS, type RailStation } from "../../../../sandbox/transport/railway/stations.ts";
import { createTimetable } from "../../../../sandbox/transport/railway/timetable.ts";
import type { Train } from "../../../../sandbox/transport/railway/train.ts";
import type { Visit } from "../../../../sandbox/transport/railway/timetable.ts";
import { addDays, formatUkTime, ukMoment } from "../../../../sandbox/transport/railway/uk-time.ts";
import { cases } from "../../../support/cases.ts";

const HOUR_MS = 3_600_000;
const timetable = createTimetable(1);
const stations = fc.constantFrom(...STATIONS);
const dates = fc.integer({ min: 0, max: 800 }).map((days) => addDays("2026-01-01", days));
const minutes = fc.integer({ min: 0, max: 1_439 });

function stationOf(crs: string): RailStation {
  const station = STATIONS.find((each) => each.crs === crs);
  if (station === undefined) {
    throw new Error(`there is no station ${crs}`);
  }
  return station;
}

function trainsOf(crs: string, date: string, fromMinute: number, hours: number): readonly Visit[] {
  const fromMs = ukMoment(date, fromMinute);
  return timetable.trainsAt(crs, fromMs, fromMs + hours * HOUR_MS);
}

describe("the timetable", () => {
  test("is the same for the same seed, and different for another", () => {
    fc.assert(
      fc.property(stations, dates, minutes, ({ crs }, date, minute) => {
        const fromMs = ukMoment(date, minute);
        const again = createTimetable(1).trainsAt(crs, fromMs, fromMs + HOUR_MS);
        expect(again).toEqual(timetable.trainsAt(crs, fromMs, fromMs + HOUR_MS));
      }),
      { numRuns: cases(40) },
    );
    const noonMs = ukMoment("2026-11-18", 720);
    const uids = (seed: number) =>
      createTimetable(seed)
        .trainsAt("YRK", noonMs, noonMs + HOUR_MS)
        .map(({ train }) => train.uid);
    expect(uids(2)).not.toEqual(uids(1));
  });

  test("has trains at every station on a weekday", () => {
    // Most stations have one within the first hours, and later ones are not searched for.
    const hours = Array.from({ length: 21 }, (_, index) => (4 + index) * 60);
    const hasTrain = ({ crs }: RailStation) =>
      hours.some((minute) => trainsOf(crs, "2026-11-18", minute, 1).length > 0);
    expect(STATIONS.filter((station) => !hasTrain(station))).toEqual([]);
  });

  test("shows a train at each of its stations at the train's own time", () => {
    fc.assert(
      fc.property(stations, dates, minutes, ({ crs }, date, minute) => {
        for (const { train } of trainsOf(crs, date, minute, 1)) {
          for (const [at, call] of train.calls.entries()) {
            const atMs = call.departMs ?? call.arriveMs ?? 0;
            const seen = timetable.trainsAt(call.station.crs, atMs, atMs + 1);
            expect(seen.some((visit) => visit.train.uid === train.uid && visit.at === at)).toBe(true);
          }
        }
      }),
      {
        numRuns: cases(60),
        // A night when the clocks change, and a time that is rounded.
        examples: [[stationOf("ABW"), "2027-03-28", 425]],
      },
    );
  });

  test("has trains that move forwards in time, from a start without an arrival to an end without a departure", () => {
    fc.assert(
      fc.property(stations, dates, minutes, ({ crs }, date, minute) => {
        for (const { train } of trainsOf(crs, date, minute, 2)) {
          const times = train.calls.flatMap((call) => [call.arriveMs, call.departMs]);
          expect(times[0]).toBeUndefined();
          expect(times.at(-1)).toBeUndefined();
          const known = times.slice(1, -1);
          expect(known).not.toContain(undefined);
          expect(known).toEqual(known.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
        }
      }),
      { numRuns: cases(100) },
    );
  });

  test("lists a window in order, and its two halves give the same trains", () => {
    fc.assert(
      fc.property(stations, dates, minutes, ({ crs }, date, minute) => {
        const whole = trainsOf(crs, date, minute, 4);
        const times = whole.map(
          ({ train, at }) => train.calls[at]?.departMs ?? train.calls[at]?.arriveMs ?? 0,
        );
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        const middleMs = ukMoment(date, minute) + 2 * HOUR_MS;
        const halves = [
          ...timetable.trainsAt(crs, ukMoment(date, minute), middleMs),
          ...timetable.trainsAt(crs, middleMs, middleMs + 2 * HOUR_MS),
        ];
        expect(halves.map(({ train }) => train.uid)).toEqual(whole.map(({ train }) => train.uid));
      }),
      { numRuns: cases(100) },
    );
  });

  test("finds a train by its uid and start date", () => {
    fc.assert(
      fc.property(stations, dates, minutes, ({ crs }, date, minute) => {
        for (const { train } of trainsOf(crs, date, minute, 1)) {
          expect(timetable.trainOf(train.uid, train.serviceDate)).toEqual(train);
        }
      }),
    );
    for (const uid of ["C1", "Z99999", "", "c00001", "C000011"]) {
      expect(timetable.trainOf(uid, "2026-11-18")).toBeUndefined();
    }
  });

  test("uses a uid for only one train a day", () => {
    const visits = ["YRK", "LDS", "KGX", "BHM", "CLJ", "GLC"].flatMap((crs) =>
      trainsOf(crs, "2026-11-18", 0, 24),
    );
    const startOf = new Map<string, string>();
    for (const { train } of visits) {
      const identity = `${train.operator} ${train.calls[0]?.station.crs} ${train.calls[0]?.departMs}`;
      const key = `${train.uid} ${train.serviceDate}`;
      expect(startOf.get(key) ?? identity).toBe(identity);
      startOf.set(key, identity);
    }
    expect(startOf.size).toBeGreaterThan(3_000);
  });

  test("keeps a train's platforms on the next weekday", () => {
    const platforms = (date: string) =>
      trainsOf("YRK", date, 600, 2)
        .filter(({ train }) => train.mode === "train")
        .map(({ train, at }) => [train.uid, train.calls[at]?.platform]);
    const tuesday = new Map(platforms("2026-11-17").map(([uid, platform]) => [uid, platform]));
    const known = platforms("2026-11-18").filter(([uid]) => tuesday.has(uid));
    expect(known.length).toBeGreaterThan(10);
    for (const [uid, platform] of known) {
      expect(platform).toBe(tuesday.get(uid));
    }
  });

  test("has platforms with numbers, with letters, and calls without a known platform", () => {
    const seen = STATIONS.slice(0, 400)
      .flatMap(({ crs }) => trainsOf(crs, "2026-11-18", 600, 2))
      .flatMap(({ train }) => train.calls.map((call) => call.platform));
    expect(seen).toContain("1");
    expect(seen).toContain("A");
    expect(seen).toContain(null);
    expect(seen.some((platform) => /^\d+[ab]$/.test(platform ?? ""))).toBe(true);
  });
});

describe("the railway's calendar", () => {
  test("has no trains on Christmas Day, and few on the day after", () => {
    for (const crs of ["YRK", "WAT", "GLC", "CDF"]) {
      expect(trainsOf(crs, "2026-12-25", 0, 24)).toEqual([]);
    }
    expect(trainsOf("GLC", "2026-12-26", 60, 20)).toEqual([]);
    expect(trainsOf("CLJ", "2026-12-26", 60, 20).length).toBeGreaterThan(0);
  });

  test("has no passenger trains in the small hours, and fewer and later ones on Sundays", () => {
    const passengers = (date: string, fromMinute: number, hours: number) =>
      trainsOf("HBD", date, fromMinute, hours).filter(({ train }) => train.kind !== "freight").length;
    expect(passengers("2026-11-18", 150, 2)).toBe(0);
    expect(passengers("2026-11-18", 330, 2)).toBeGreaterThan(0);
    expect(passengers("2026-11-22", 300, 2)).toBe(0);
    expect(passengers("2026-11-22", 0, 24)).toBeLessThan(passengers("2026-11-18", 0, 24));
  });

  test("has sleepers at night, but not on the night after Saturday", () => {
    const sleepers = (date: string) =>
      trainsOf("CAR", date, 120, 5).filter(({ train }) => train.kind === "sleeper").length;
    expect(sleepers("2026-11-18")).toBeGreaterThan(0);
    expect(sleepers("2026-11-22")).toBe(0);
  });

  test("runs trains past midnight under the date of their start", () => {
    const late = trainsOf("CLJ", "2026-11-19", 0, 1);
    expect(late.length).toBeGreaterThan(0);
    expect(late.filter(({ train }) => train.serviceDate === "2026-11-18").length).toBeGreaterThan(0);
  });

  test("replaces some trains by buses, without platforms", () => {
    const buses = STATIONS.slice(0, 300)
      .flatMap(({ crs }) => trainsOf(crs, "2026-11-22", 600, 3))
      .filter(({ train }) => train.mode === "bus");
    expect(buses.length).toBeGreaterThan(0);
    for (const { train } of buses) {
      expect(train.category).toBe("BR");
      expect(train.calls.every((call) => call.platform === null)).toBe(true);
    }
  });

  test("does not change a train's journey time on the nights when clocks change", () => {
    const lengthOf = (train: Train) => (train.calls.at(-1)?.arriveMs ?? 0) - (train.calls[0]?.departMs ?? 0);
    const changes = [
      ["2026-03-28", "2026-03-21"],
      ["2026-10-24", "2026-10-17"],
    ] as const;
    const pairs = changes.flatMap(([evening, usualEvening]) =>
      ["CLJ", "VIC", "LST", "MCV", "GLC"]
        .flatMap((crs) => trainsOf(crs, evening, 1_380, 3))
        .filter(({ train }) => train.serviceDate === evening)
        .flatMap(({ train }) => {
          const usual = timetable.trainOf(train.uid, usualEvening);
          return usual?.mode === train.mode ? [{ changed: lengthOf(train), usual: lengthOf(usual) }] : [];
        }),
    );
    expect(pairs.length).toBeGreaterThan(20);
    expect(pairs.map(({ changed }) => changed)).toEqual(pairs.map(({ usual }) => usual));
  });

  test("shows no local time in the hour that is skipped in spring", () => {
    const visits = STATIONS.slice(0, 600).flatMap(({ crs }) => trainsOf(crs, "2026-03-29", -120, 8));
    expect(visits.length).toBeGreaterThan(0);
    for (const { train } of visits) {
      for (const call of train.calls) {
        const atMs = call.departMs ?? call.arriveMs ?? 0;
        const isThatNight =
          atMs > Date.parse("2026-03-29T00:00:00Z") && atMs < Date.parse("2026-03-29T06:00:00Z");
        expect(isThatNight && formatUkTime(atMs).startsWith("01:")).toBe(false);
      }
    }
  });
});
