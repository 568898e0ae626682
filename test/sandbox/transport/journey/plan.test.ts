import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTimetable } from "../../../../sandbox/transport/railway/timetable.ts";
import { STATIONS } from "../../../../sandbox/transport/railway/stations.ts";
import type { RailStation } from "../../../../sandbox/transport/railway/stations.ts";
import { stationWaypoint } from "../../../../sandbox/transport/journey/leg.ts";
import { planJourneys } from "../../../../sandbox/transport/journey/plan.ts";
import type { JourneyQuestion } from "../../../../sandbox/transport/journey/plan.ts";
import type { Route } from "../../../../sandbox/transport/journey/leg.ts";
import { fateOf } from "../../../../sandbox/transport/railway/fate.ts";

const SEED = 1;
const railway = { timetable: createTimetable(SEED), seed: SEED };

const station = fc.nat(STATIONS.length - 1).map((at) => STATIONS[at]);
/** An ordinary day, both nights when the clocks change, Christmas Eve, and a Sunday. */
const DATES = ["2026-11-18", "2026-03-28", "2026-10-24", "2026-12-24", "2026-07-05"];

function ask(from: RailStation, to: RailStation, atMs: number, isArrival = false): JourneyQuestion {
  return {
    from: stationWaypoint(from),
    to: stationWaypoint(to),
    atMs,
    isArrival,
  };
}

/** The faults of a route; empty if it is correct. */
function faultsOf(
  { legs, departMs, arriveMs }: Route,
  { from, to, atMs, isArrival }: JourneyQuestion,
): readonly string[] {
  const faults: string[] = [];
  const check = (isTrue: boolean, fault: string) => {
    if (!isTrue) {
      faults.push(fault);
    }
  };
  check(legs[0]?.from.name === from.name, "begins elsewhere");
  check(legs.at(-1)?.to.name === to.name, "ends elsewhere");
  check(isArrival ? arriveMs <= atMs : departMs >= atMs, "is outside the requested time");
  for (const [at, leg] of legs.entries()) {
    const before = legs[at - 1];
    check(
      leg.arriveMs > leg.departMs && leg.departMs % 60_000 === 0,
      `leg ${at} takes no time, or does not leave at a full minute`,
    );
    check(!before || leg.departMs >= before.arriveMs, `leg ${at} leaves before the previous one arrives`);
    check(!before || leg.from.name === before.to.name, `leg ${at} begins at ${leg.from.name}`);
    if (!leg.ride) {
      continue;
    }
    const { train, board, alight } = leg.ride;
    // The train must be on the board of the station where the passenger gets on, at this very minute.
    const crs = train.calls[board]?.station.crs ?? "";
    const there = railway.timetable.trainsAt(crs, leg.departMs, leg.departMs + 60_000);
    const isThere = there.some((visit) => visit.train.uid === train.uid && visit.at === board);
    check(isThere && alight > board, `${train.uid} is not on the board of ${crs}`);
    check(train.calls[alight]?.arriveMs === leg.arriveMs, `${train.uid} arrives at another time`);
    check(
      !before?.ride || leg.departMs - before.arriveMs >= 4 * 60_000,
      `leg ${at} leaves too soon to change`,
    );
  }
  return faults;
}

describe("a planned journey", () => {
  test.each(DATES)("uses trains that are on the boards, one after the other, on %s", (date) => {
    let routes = 0;
    fc.assert(
      fc.property(station, station, fc.nat(36 * 60), fc.boolean(), (from, to, minutes, isArrival) => {
        if (!from || !to || from === to) {
          return;
        }
        const atMs = Date.parse(`${date}T00:00:00Z`) + minutes * 60_000;
        const question = ask(from, to, atMs, isArrival);
        for (const route of planJourneys(question, railway, atMs)) {
          expect(faultsOf(route, question)).toEqual([]);
          routes += 1;
        }
      }),
      { numRuns: 6, seed: 20_261_118 },
    );
    expect(routes).toBeGreaterThan(3);
  });

  test("arrives no later than any direct train", () => {
    const york = STATIONS.find(({ crs }) => crs === "YRK");
    const leeds = STATIONS.find(({ crs }) => crs === "LDS");
    if (!york || !leeds) {
      throw new Error("York or Leeds is not in the list of stations");
    }
    for (let hour = 5; hour < 23; hour += 1) {
      const atMs = Date.parse("2026-11-18T00:00:00Z") + hour * 3_600_000;
      const soonestMs = Math.min(
        ...planJourneys(ask(york, leeds, atMs), railway, atMs).map((route) => route.arriveMs),
      );
      const direct = railway.timetable.trainsAt("YRK", atMs, atMs + 7_200_000).flatMap(({ train, at }) => {
        const { cancelled } = fateOf(train, SEED);
        const arrival = train.calls.slice(at + 1).find((call) => call.station.crs === "LDS")?.arriveMs;
        return arrival === undefined || train.kind === "freight" || cancelled ? [] : [arrival];
      });
      expect(direct.length).toBeGreaterThan(0);
      expect(soonestMs).toBeLessThanOrEqual(Math.min(...direct));
    }
  });

  test("does not use a train that is known to be cancelled", () => {
    const atMs = Date.parse("2026-11-18T17:20:00Z");
    let cancelledOnes = 0;
    for (const from of STATIONS.filter(({ name }) => name.startsWith("London "))) {
      const visits = railway.timetable.trainsAt(from.crs, atMs, atMs + 3_600_000);
      for (const { train, at } of visits) {
        const { cancelled, cancelledKnownMs } = fateOf(train, SEED);
        const to = train.calls.at(-1)?.station;
        if (
          !cancelled ||
          cancelled.to !== train.calls.length ||
          cancelled.from > 0 ||
          cancelledKnownMs > atMs ||
          at > 0 ||
          !to
        ) {
          continue;
        }
        cancelledOnes += 1;
        const routes = planJourneys(ask(from, to, atMs), railway, atMs);
        expect(routes.flatMap((route) => route.legs.map((leg) => leg.ride?.train.uid))).not.toContain(
          train.uid,
        );
      }
    }
    expect(cancelledOnes).toBeGreaterThan(2);
  });
});
