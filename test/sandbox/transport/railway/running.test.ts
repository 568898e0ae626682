import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boardOf } from "../../../../sandbox/transport/railway/board.ts";
import type { BoardEntry, BoardQuery } from "../../../../sandbox/transport/railway/board.ts";
import { liveCall } from "../../../../sandbox/transport/railway/running.ts";
import type { LiveCall } from "../../../../sandbox/transport/railway/running.ts";
import { createTimetable } from "../../../../sandbox/transport/railway/timetable.ts";
import type { Train } from "../../../../sandbox/transport/railway/train.ts";
import { cases } from "../../../support/cases.ts";

const MINUTE_MS = 60_000;
const SEED = 1;
const NOW_MS = Date.parse("2026-11-18T17:20:40Z");
const timetable = createTimetable(SEED);
const railway = { timetable, seed: SEED };

const BUSY = [
  "YRK",
  "LDS",
  "BHM",
  "KGX",
  "MAN",
  "EDB",
  "BRI",
  "CLJ",
  "WIM",
  "RDG",
  "NCL",
  "CRE",
  "GLC",
  "VIC",
  "HBD",
];
const trains: readonly Train[] = BUSY.flatMap((crs) =>
  timetable.trainsAt(crs, NOW_MS - 60 * MINUTE_MS, NOW_MS + 120 * MINUTE_MS),
).map(({ train }) => train);
const anyTrain = fc.constantFrom(...trains);

function queryOf(crs: string, changed: Partial<BoardQuery> = {}): BoardQuery {
  const fromMs = Math.floor(NOW_MS / MINUTE_MS) * MINUTE_MS;
  return {
    crs,
    side: "departure",
    fromMs,
    toMs: fromMs + 120 * MINUTE_MS,
    followsTrains: true,
    callingAt: [],
    calledAt: [],
    passengerOnly: true,
    limit: 1_000,
    ...changed,
  };
}

function entriesOf(changed: Partial<BoardQuery> = {}): readonly BoardEntry[] {
  return BUSY.flatMap((crs) => boardOf(railway, queryOf(crs, changed), NOW_MS));
}

describe("a running train", () => {
  test("is the same for the same seed and time", () => {
    fc.assert(
      fc.property(anyTrain, fc.nat(), fc.integer({ min: -120, max: 180 }), (train, pick, minutes) => {
        const at = pick % train.calls.length;
        const nowMs = NOW_MS + minutes * MINUTE_MS;
        const again = createTimetable(SEED).trainOf(train.uid, train.serviceDate);
        expect(again).toBeDefined();
        expect(again && liveCall(again, at, "departure", nowMs, SEED)).toEqual(
          liveCall(train, at, "departure", nowMs, SEED),
        );
      }),
    );
  });

  test("never returns to a stop that it has left, and reports nothing more about it", () => {
    fc.assert(
      fc.property(anyTrain, fc.nat(), (train, pick) => {
        const at = pick % train.calls.length;
        const seen = Array.from({ length: 90 }, (_, step) =>
          liveCall(train, at, "departure", NOW_MS + (step * 5 - 60) * MINUTE_MS, SEED),
        );
        const firstGone = seen.findIndex((live) => live.status === null);
        const afterwards = firstGone === -1 ? [] : seen.slice(firstGone).map((live) => live.status);
        expect(afterwards.filter((status) => status !== null)).toEqual([]);
        const silent = seen.filter(
          ({ status }) => status === null || status === "CANCELLED" || status === "DELAYED",
        );
        expect(silent.flatMap((live) => live.expectedArriveMs ?? live.expectedDepartMs ?? [])).toEqual([]);
      }),
      { numRuns: cases(60) },
    );
  });

  test("is never expected to leave before its aimed time, nor in the past", () => {
    fc.assert(
      fc.property(anyTrain, fc.nat(), fc.integer({ min: -120, max: 180 }), (train, pick, minutes) => {
        const at = pick % train.calls.length;
        const nowMs = NOW_MS + minutes * MINUTE_MS;
        const expectedMs = liveCall(train, at, "departure", nowMs, SEED).expectedDepartMs ?? Infinity;
        expect(expectedMs).toBeGreaterThanOrEqual(train.calls[at]?.departMs ?? 0);
        expect(expectedMs).toBeGreaterThanOrEqual(Math.floor(nowMs / MINUTE_MS) * MINUTE_MS);
      }),
    );
  });

  test("reports no delay long before it starts", () => {
    for (const train of trains) {
      const startMs = train.calls[0]?.departMs ?? 0;
      for (const at of train.calls.keys()) {
        const live: LiveCall = liveCall(train, at, "departure", startMs - 180 * MINUTE_MS, SEED);
        const call = train.calls[at];
        expect(live.expectedDepartMs).toBe(live.status === "CANCELLED" ? undefined : call?.departMs);
      }
    }
  });

  test("may become late, although it was on time ninety minutes before", () => {
    const slipped = trains.filter((train) => {
      const at = train.calls.length - 1;
      const aimedMs = train.calls[at]?.arriveMs ?? 0;
      const early = liveCall(train, at, "arrival", aimedMs - 90 * MINUTE_MS, SEED);
      const late = liveCall(train, at, "arrival", aimedMs - MINUTE_MS, SEED);
      return early.expectedArriveMs === aimedMs && (late.expectedArriveMs ?? 0) >= aimedMs + 3 * MINUTE_MS;
    });
    expect(slipped.length).toBeGreaterThan(5);
    expect(slipped.length).toBeLessThan(trains.length / 2);
  });

  test("shows every status of the service within some days", () => {
    const words = new Map<string | null, number>();
    for (let day = 0; day < 4; day += 1) {
      for (const side of ["departure", "arrival"] as const) {
        for (const crs of BUSY) {
          const shiftMs = day * 24 * 60 * MINUTE_MS;
          const { fromMs, toMs } = queryOf(crs);
          const query = queryOf(crs, { side, fromMs: fromMs + shiftMs, toMs: toMs + shiftMs });
          for (const { live } of boardOf(railway, query, NOW_MS + shiftMs)) {
            words.set(live.status, (words.get(live.status) ?? 0) + 1);
          }
        }
      }
    }
    expect([...words.keys()].map(String).toSorted()).toEqual(
      [
        "ARRIVED",
        "BUS",
        "CANCELLED",
        "CHANGE OF IDENTITY",
        "CHANGE OF ORIGIN",
        "DELAYED",
        "EARLY",
        "LATE",
        "NO REPORT",
        "OFF ROUTE",
        "ON TIME",
        "REINSTATEMENT",
        "STARTS HERE",
        "null",
      ].toSorted(),
    );
  });
});

describe("a station's board", () => {
  test("sometimes says LATE of a train expected on time, and NO REPORT beside expected times", () => {
    const entries = entriesOf();
    const punctual = entries.filter(({ live, call }) => live.expectedDepartMs === call.departMs);
    expect(punctual.some(({ live }) => live.status === "LATE")).toBe(true);
    expect(punctual.some(({ live }) => live.status === "NO REPORT")).toBe(true);
  });

  test("keeps a late train until it has gone, and removes a cancelled one at its aimed time", () => {
    const { fromMs } = queryOf("YRK");
    const before = entriesOf().filter(({ call }) => (call.departMs ?? 0) < fromMs);
    expect(before.length).toBeGreaterThan(0);
    for (const { live } of before) {
      expect(live.overMs).toBeGreaterThan(NOW_MS);
      expect(live.status).not.toBe("CANCELLED");
    }
  });

  test("filters by later and earlier calling points", () => {
    const board = boardOf(railway, queryOf("YRK"), NOW_MS);
    const toDarlington = boardOf(railway, queryOf("YRK", { callingAt: ["DAR"] }), NOW_MS);
    expect(toDarlington.length).toBeGreaterThan(0);
    expect(toDarlington).toEqual(
      board.filter(({ train, at }) => train.calls.slice(at + 1).some((call) => call.station.crs === "DAR")),
    );
    const fromDarlington = boardOf(railway, queryOf("YRK", { calledAt: ["DAR"] }), NOW_MS);
    expect(fromDarlington).toEqual(
      board.filter(({ train, at }) => train.calls.slice(0, at).some((call) => call.station.crs === "DAR")),
    );
  });

  test("shows freight trains only if asked to", () => {
    const kinds = (passengerOnly: boolean) =>
      entriesOf({ passengerOnly, toMs: NOW_MS + 600 * MINUTE_MS }).map(({ train }) => train.kind);
    expect(kinds(false)).toContain("freight");
    expect(kinds(true)).not.toContain("freight");
  });
});
