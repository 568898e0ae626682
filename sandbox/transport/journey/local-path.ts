// Ways without trains: on foot, or with local lines and the walks to and from their stops.
import { metresBetween } from "../geography/position.ts";
import type { Position } from "../geography/position.ts";
import { dueAt, tripsAt } from "../local/trips.ts";
import type { LocalLine } from "../local/local-line.ts";
import { stopPlace } from "../places/place.ts";
import type { Stop } from "../local/stop.ts";
import type { Leg, Waypoint } from "./leg.ts";

/** A stretch on one line. */
export interface LocalRide {
  readonly line: LocalLine;
  /** Which of the line's stops. */
  readonly from: number;
  readonly to: number;
}

export interface LocalPath {
  /** None: on foot all the way. */
  readonly rides: readonly LocalRide[];
  /** So long at the most, by day: with waits for the next, and the walks. */
  readonly takesMs: number;
}

const MINUTE_MS = 60_000;
/** Metres a minute, and streets wind. */
const WALK_PACE = 80;
const STREETS = 1.25;
/** Into a stop and out of it again. */
const CHANGE_MS = 2 * MINUTE_MS;
/** Nobody waits longer for a local line. */
const MOST_WAIT_MS = 70 * MINUTE_MS;

/** How long one walks from one to the other, in whole minutes; a minute at the least. */
export function walkMs(from: Position, to: Position): number {
  return Math.max(1, Math.ceil((metresBetween(from, to) * STREETS) / WALK_PACE)) * MINUTE_MS;
}

/** A path over these lines, or on foot. */
export function pathOf(from: Position, to: Position, rides: readonly LocalRide[]): LocalPath {
  let takesMs = 0;
  let here = from;
  for (const { line, from: board, to: alight } of rides) {
    const on = line.stops[board];
    const off = line.stops[alight];
    takesMs += (on ? walkMs(here, on) : 0) + line.everyMinutes * MINUTE_MS + CHANGE_MS;
    takesMs += ((line.minutes[alight] ?? 0) - (line.minutes[board] ?? 0)) * MINUTE_MS;
    here = off ?? here;
  }
  return { rides, takesMs: takesMs + walkMs(here, to) };
}

/** The legs for one who is ready at a moment; `undefined` when nothing runs. */
export function followAfter(
  { rides }: LocalPath,
  from: Waypoint,
  to: Waypoint,
  readyMs: number,
  seed: number,
): readonly Leg[] | undefined {
  const legs: Leg[] = [];
  let here = from;
  let nowMs = readyMs;
  for (const ride of rides) {
    const { on, off } = endsOf(ride);
    const walk = walkMs(here, on);
    const trip = tripsAt(
      { line: ride.line, at: ride.from },
      nowMs + walk,
      nowMs + walk + MOST_WAIT_MS,
      seed,
    )[0];
    if (!trip) {
      return undefined;
    }
    const departMs = dueAt(trip, ride.from);
    // One leaves the house when it is time.
    legs.push(...foot(here, on, departMs - walk));
    nowMs = dueAt(trip, ride.to);
    legs.push({ mode: ride.line.mode, from: on, to: off, departMs, arriveMs: nowMs, ride: undefined, trip });
    here = off;
    nowMs += rides.length > 1 ? CHANGE_MS : 0;
  }
  const overMs = legs.at(-1)?.arriveMs ?? nowMs;
  legs.push(...foot(here, to, overMs));
  return legs;
}

/** The legs, as late as possible, for one who has to be there by a moment; `undefined` when nothing runs. */
export function followBefore(
  { rides }: LocalPath,
  from: Waypoint,
  to: Waypoint,
  byMs: number,
  seed: number,
): readonly Leg[] | undefined {
  const legs: Leg[] = [];
  let here = to;
  let nowMs = byMs;
  for (const ride of rides.toReversed()) {
    const { on, off } = endsOf(ride);
    const walk = walkMs(off, here);
    const rideMs = ((ride.line.minutes[ride.to] ?? 0) - (ride.line.minutes[ride.from] ?? 0)) * MINUTE_MS;
    const latestMs = nowMs - walk - rideMs;
    const trip = tripsAt({ line: ride.line, at: ride.from }, latestMs - MOST_WAIT_MS, latestMs + 1, seed).at(
      -1,
    );
    if (!trip) {
      return undefined;
    }
    const arriveMs = dueAt(trip, ride.to);
    legs.unshift(...foot(off, here, arriveMs));
    nowMs = dueAt(trip, ride.from);
    legs.unshift({
      mode: ride.line.mode,
      from: on,
      to: off,
      departMs: nowMs,
      arriveMs,
      ride: undefined,
      trip,
    });
    here = on;
    nowMs -= rides.length > 1 ? CHANGE_MS : 0;
  }
  const startMs = legs[0]?.departMs ?? nowMs;
  legs.unshift(...foot(from, here, startMs - walkMs(from, here)));
  return legs;
}

/** A walk that begins at a moment; none between what is at the same place. */
function foot(from: Waypoint, to: Waypoint, departMs: number): readonly Leg[] {
  const takesMs = walkMs(from, to);
  return from.name === to.name && metresBetween(from, to) < 20
    ? []
    : [{ mode: "foot", from, to, departMs, arriveMs: departMs + takesMs, ride: undefined, trip: undefined }];
}

function endsOf({ line, from, to }: LocalRide): { readonly on: Waypoint; readonly off: Waypoint } {
  const on = line.stops[from];
  const off = line.stops[to];
  if (!on || !off) {
    throw new RangeError(`${line.name} has no such stops`);
  }
  return { on: stopWaypoint(on), off: stopWaypoint(off) };
}

/** A stop as an end of a leg. */
export function stopWaypoint(stop: Stop): Waypoint {
  const place = stopPlace(stop);
  return { name: place.name, place, latitude: stop.latitude, longitude: stop.longitude };
}
