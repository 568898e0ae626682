// From the steps that a search found to legs with their trains, stops and minutes.
import type { Railway } from "../railway/board.ts";
import { runKey } from "../railway/runs.ts";
import { STATIONS } from "../railway/stations.ts";
import type { RailStation } from "../railway/stations.ts";
import { uidOfKey } from "../railway/uids.ts";
import { stationPlace } from "../places/place.ts";
import { crossingsFrom } from "./crossings.ts";
import { PLATFORM_MS } from "./ends.ts";
import type { PlaceEnd } from "./ends.ts";
import { routeOf } from "./leg.ts";
import type { Leg, Route, Waypoint } from "./leg.ts";
import { followAfter, followBefore } from "./local-path.ts";
import type { RideStep, Step } from "./steps.ts";

/** The journey's two ends. */
export interface Ends {
  readonly from: Waypoint;
  readonly to: Waypoint;
}

/** The whole route; `undefined` where a local line does not run when it is needed. */
export function routeOfSteps(steps: readonly Step[], ends: Ends, railway: Railway): Route | undefined {
  const trains = steps.map((step) => (step.kind === "ride" ? trainLeg(step, railway) : undefined));
  const legs: Leg[] = [];
  for (const [at, step] of steps.entries()) {
    const train = trains[at];
    const between =
      step.kind === "ride"
        ? train && [train]
        : step.kind === "end"
          ? endLegs(step.end, ends, trains[at - 1], trains[at + 1], railway.seed)
          : crossingLegs(step, trains[at - 1], railway.seed);
    if (!between) {
      return undefined;
    }
    legs.push(...between);
  }
  return routeOf(legs);
}

/** A station as an end of a leg. */
export function stationWaypoint(station: RailStation): Waypoint {
  const place = stationPlace(station);
  return { name: station.name, place, latitude: station.latitude, longitude: station.longitude };
}

/** The train of a step and which of its calls it carries between; `undefined` for one that a signaller has taken off. */
export function rideOf({ run, date, board, alight }: RideStep, railway: Railway): Leg["ride"] {
  const uid = uidOfKey(runKey(run.course.line, run.course.direction, run.number), railway.seed);
  const train = railway.timetable.trainOf(uid, date);
  return train && { train, board, alight };
}

function trainLeg(step: RideStep, railway: Railway): Leg {
  const ride = rideOf(step, railway);
  if (!ride) {
    throw new Error(`The timetable has lost a train of ${step.date}`);
  }
  const on = ride.train.calls[ride.board];
  const off = ride.train.calls[ride.alight];
  if (on?.departMs === undefined || off?.arriveMs === undefined) {
    throw new Error(`${ride.train.uid} does not carry from ${ride.board} to ${ride.alight}`);
  }
  return {
    mode: ride.train.mode,
    from: stationWaypoint(on.station),
    to: stationWaypoint(off.station),
    departMs: on.departMs,
    arriveMs: off.arriveMs,
    ride,
    trip: undefined,
  };
}

function endLegs(
  { path }: PlaceEnd,
  { from, to }: Ends,
  before: Leg | undefined,
  after: Leg | undefined,
  seed: number,
): readonly Leg[] | undefined {
  if (!path) {
    return [];
  }
  return after
    ? followBefore(path, from, after.from, after.departMs - PLATFORM_MS, seed)
    : before && followAfter(path, before.to, to, before.arriveMs, seed);
}

function crossingLegs(
  { from, to }: Step & { readonly kind: "crossing" },
  before: Leg | undefined,
  seed: number,
): readonly Leg[] | undefined {
  const path = crossingsFrom(from).find((each) => each.to === to)?.path;
  const station = STATIONS[to];
  return path && station && before
    ? followAfter(path, before.to, stationWaypoint(station), before.arriveMs, seed)
    : undefined;
}
