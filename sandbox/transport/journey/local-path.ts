// Ways without trains: on foot, or with at most two local lines and the walks to and from their stops.
import {
  departuresAt,
  localNetwork,
  rideMinutes,
  type LocalLine,
  type LocalMode,
  type Stop,
} from "../map/local-lines.ts";
import { stopsNear } from "../map/places.ts";
import { metresBetween, type Position } from "../map/position.ts";
import { stopWaypoint, type Leg, type Waypoint } from "./leg.ts";

/** A stretch on one line, between two of its stops. */
interface LocalRide {
  readonly line: LocalLine;
  readonly from: number;
  readonly to: number;
}

/** The rides of a way; none: on foot all the way. */
export interface LocalPath {
  readonly rides: readonly LocalRide[];
  /** With the walks, and with waits as long as they may be. */
  readonly minutes: number;
}

/** Which stops can be reached, by ATCO code, and how. */
export type Reach = ReadonlyMap<string, LocalPath & { readonly stop: Stop }>;

const MINUTE_MS = 60_000;
/** As the crow flies, in metres. */
export const NEAR_A_STOP = 700;
/** Metres a minute, and streets wind. */
const WALK_PACE = 80;
const STREETS = 1.25;
/** From one vehicle to another. */
const CHANGE_MINUTES = 3;
const MOST_WAIT_MS = 8 * 60 * MINUTE_MS;

export function walkMinutes(from: Position, to: Position): number {
  return Math.max(1, Math.ceil((metresBetween(from, to) * STREETS) / WALK_PACE));
}

/** All stops of these modes that one can ride to from stops near a place. */
export function reachFrom(from: Position, modes: readonly LocalMode[]): Reach {
  const reach = new Map<string, LocalPath & { readonly stop: Stop }>();
  const network = localNetwork();
  const ride = (stop: Stop, before: LocalPath) => {
    for (const { line, at } of network.callsAt(stop.atcocode)) {
      if (!modes.includes(line.mode) || before.rides.some((each) => each.line === line)) {
        continue;
      }
      for (const [to, other] of line.stops.entries()) {
        const minutes = before.minutes + line.everyMinutes + rideMinutes(line, at, to) + CHANGE_MINUTES;
        if (to !== at && minutes < (reach.get(other.atcocode)?.minutes ?? Infinity)) {
          reach.set(other.atcocode, {
            stop: other,
            rides: [...before.rides, { line, from: at, to }],
            minutes,
          });
        }
      }
    }
  };
  for (const stop of stopsNear(from, NEAR_A_STOP, modes)) {
    ride(stop, { rides: [], minutes: walkMinutes(from, stop) });
  }
  for (const known of Array.from(reach.values())) {
    ride(known.stop, known);
  }
  return reach;
}

/** The best way by what is reached of stops near its end; `undefined` where none is. */
export function pathWithin(reach: Reach, to: Position, modes: readonly LocalMode[]): LocalPath | undefined {
  const paths = stopsNear(to, NEAR_A_STOP, modes).flatMap((stop): readonly LocalPath[] => {
    const known = reach.get(stop.atcocode);
    return known ? [{ rides: known.rides, minutes: known.minutes + walkMinutes(stop, to) }] : [];
  });
  return paths.toSorted((a, b) => a.minutes - b.minutes)[0];
}

/** The same way, taken from its end. */
export function reversed({ rides, minutes }: LocalPath): LocalPath {
  return { rides: rides.toReversed().map(({ line, from, to }) => ({ line, from: to, to: from })), minutes };
}

/** The legs for one who is ready at a moment; `undefined` when nothing runs. */
export function followPath(
  { rides }: LocalPath,
  from: Waypoint,
  to: Waypoint,
  readyMs: number,
  seed: number,
): readonly Leg[] | undefined {
  const legs: Leg[] = [];
  let here = from;
  let nowMs = readyMs;
  for (const { line, from: board, to: alight } of rides) {
    const [on, off] = [line.stops[board], line.stops[alight]];
    if (!on || !off) {
      return undefined;
    }
    const stop = stopWaypoint(on);
    const walkMs = walkMinutes(here, stop) * MINUTE_MS;
    const towards = alight > board ? "last" : "first";
    const thereMs = nowMs + walkMs;
    const [departMs] = departuresAt({ line, at: board }, towards, thereMs, thereMs + MOST_WAIT_MS, seed);
    if (departMs === undefined) {
      return undefined;
    }
    // One leaves the house when it is time.
    legs.push(...onFoot(here, stop, departMs - walkMs));
    const arriveMs = departMs + rideMinutes(line, board, alight) * MINUTE_MS;
    here = stopWaypoint(off);
    legs.push({ mode: line.mode, from: stop, to: here, departMs, arriveMs, line });
    nowMs = arriveMs + CHANGE_MINUTES * MINUTE_MS;
  }
  return [...legs, ...onFoot(here, to, legs.at(-1)?.arriveMs ?? nowMs)];
}

/** A walk that begins at a moment; none between what is at the same place. */
function onFoot(from: Waypoint, to: Waypoint, departMs: number): readonly Leg[] {
  return from.name === to.name && metresBetween(from, to) < 20
    ? []
    : [{ mode: "foot", from, to, departMs, arriveMs: departMs + walkMinutes(from, to) * MINUTE_MS }];
}
