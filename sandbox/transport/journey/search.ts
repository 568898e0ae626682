// Searches for paths without a timetable: each round adds a ride and finds how soon each point can be reached with
// usual waits (after RAPTOR: Delling, Pajor, Werneck). plan.ts then looks up the day's trains and vehicles.
import { localNetwork, rideMinutes, type LocalLine } from "../map/local-lines.ts";
import { DEGREE_KM, metresBetween, nearestOf, type Position } from "../map/position.ts";
import { LINES, linesAt } from "../railway/network.ts";
import { STATIONS } from "../railway/stations.ts";
import { courseOf } from "../railway/timings.ts";
import { stationWaypoint, stopWaypoint, type Waypoint } from "./leg.ts";

/** A move from one point to the next. `board` and `alight` are indices of the local line's stops. */
export type Move =
  | { readonly by: "foot" }
  | { readonly by: "train" }
  | { readonly by: "local"; readonly line: LocalLine; readonly board: number; readonly alight: number };

/** A path to a point, as a linked list from its last move back to the start. */
export interface Path {
  readonly point: Waypoint;
  readonly minutes: number;
  /** The last move, and the path to where it began; `undefined` at the start. */
  readonly last: { readonly from: Path; readonly move: Move } | undefined;
}

type Improve = (next: Path) => void;

/** A stopping pattern of a line of trains, in one direction. Times are in minutes after the train's start. */
interface Pattern {
  readonly stops: readonly { readonly point: Waypoint; readonly arrive: number; readonly depart: number }[];
  /** Half the interval between trains. */
  readonly waitMinutes: number;
}

const MAX_RIDES = 7;
/** How far people walk at the ends of a journey and in between, in metres as the crow flies. */
const WALKED_AT_ENDS = 2_000;
const WALKED_BETWEEN = 950;
/** If nothing is within that distance of an end, people walk up to this far to the nearest station, in metres. */
const LONGEST_WALK = 6_000;
/** Bus lines are used only if they pass an end of the journey within this distance, in metres. */
const NEAR_A_BUS = 700;
/** A walk of up to this many minutes is always preferred to a ride. */
const SHORT_WALK = 15;
/** Metres a minute. A walk is longer than the crow's flight by DETOUR_FACTOR, because streets wind. */
const WALK_PACE = 80;
const DETOUR_FACTOR = 1.25;
/** The times from the street to the platform, and from one local vehicle to another. */
const PLATFORM_MINUTES = 2;
const CHANGE_MINUTES = 3;

let patterns: readonly Pattern[] | undefined;

export function walkMinutes(from: Position, to: Position): number {
  return Math.max(1, Math.ceil((metresBetween(from, to) * DETOUR_FACTOR) / WALK_PACE));
}

/** Minutes between arriving at a point and leaving it. A change takes longer at stations with more lines. */
export function changeMinutes({ point, last }: Path, next: Move["by"]): number {
  if (next === "foot" || !last) {
    return 0;
  }
  if (next === "local") {
    return last.move.by === "foot" ? 0 : CHANGE_MINUTES;
  }
  const lines = linesAt(point.place?.station?.crs ?? "");
  return last.move.by === "foot" ? PLATFORM_MINUTES : lines >= 16 ? 10 : lines >= 8 ? 7 : lines >= 3 ? 5 : 4;
}

/** The fastest path with each number of rides, if it is faster than with fewer. Empty if there is no path. */
export function searchPaths(from: Waypoint, to: Waypoint): readonly Path[] {
  patterns ??= createPatterns();
  const lines = localNetwork().lines.filter(({ mode, stops }) => mode !== "bus" || passes(stops, [from, to]));
  const walks = walksAmong(from, to, lines);
  const mostRides = walkMinutes(from, to) <= SHORT_WALK ? 0 : MAX_RIDES;
  const found: Path[] = [];
  let reached: ReadonlyMap<Waypoint, Path> = new Map();
  for (let rides = 0; rides <= mostRides; rides += 1) {
    const before = reached;
    const now = new Map(before);
    const minutesAt = (point: Waypoint) => now.get(point)?.minutes ?? Infinity;
    const improve = (next: Path) => {
      if (next.minutes < minutesAt(next.point) && next.minutes < minutesAt(to)) {
        now.set(next.point, next);
      }
    };
    if (rides === 0) {
      improve({ point: from, minutes: 0, last: undefined });
    }
    for (const pattern of patterns) {
      rideAlong(pattern, before, improve);
    }
    for (const line of lines) {
      rideLocally(line, before, improve);
    }
    const improved = Array.from(now.values()).filter((each) => each !== before.get(each.point));
    if (improved.length === 0) {
      break;
    }
    for (const here of improved) {
      for (const point of walks.get(here.point) ?? []) {
        const minutes = here.minutes + walkMinutes(here.point, point);
        improve({ point, minutes, last: { from: here, move: { by: "foot" } } });
      }
    }
    const there = now.get(to);
    if (there && there !== before.get(to)) {
      found.push(there);
    }
    reached = now;
  }
  return found;
}

function passes(stops: readonly Position[], ends: readonly Position[]): boolean {
  return stops.some((stop) => ends.some((end) => metresBetween(stop, end) <= NEAR_A_BUS));
}

/** Boards where that makes the whole ride earliest, and reports every later stop to `improve`. */
function rideAlong({ stops, waitMinutes }: Pattern, before: ReadonlyMap<Waypoint, Path>, improve: Improve) {
  let boarded: Path | undefined;
  /** When the boarded train would be at the start of its line, in minutes. */
  let zero = Infinity;
  for (const { point, arrive, depart } of stops) {
    if (boarded) {
      improve({ point, minutes: zero + arrive, last: { from: boarded, move: { by: "train" } } });
    }
    const here = before.get(point);
    const start = here && here.minutes + changeMinutes(here, "train") + waitMinutes - depart;
    if (start !== undefined && start < zero) {
      boarded = here;
      zero = start;
    }
  }
}

function rideLocally(line: LocalLine, before: ReadonlyMap<Waypoint, Path>, improve: Improve): void {
  for (const [board, stop] of line.stops.entries()) {
    const here = before.get(stopWaypoint(stop));
    for (const [alight, other] of here ? line.stops.entries() : []) {
      if (here && alight !== board) {
        const ride = changeMinutes(here, "local") + line.everyMinutes + rideMinutes(line, board, alight);
        const last = { from: here, move: { by: "local", line, board, alight } } as const;
        improve({ point: stopWaypoint(other), minutes: here.minutes + ride, last });
      }
    }
  }
}

/** The points within walking distance of each point. */
function walksAmong(
  from: Waypoint,
  to: Waypoint,
  lines: readonly LocalLine[],
): ReadonlyMap<Waypoint, readonly Waypoint[]> {
  const stations = STATIONS.map(stationWaypoint);
  const stops = lines.flatMap((line) => line.stops.map(stopWaypoint));
  const sorted = [...new Set([from, to, ...stations, ...stops])].toSorted((a, b) => a.latitude - b.latitude);
  const walks = new Map(sorted.map((point): [Waypoint, Waypoint[]] => [point, []]));
  const add = (a: Waypoint, b: Waypoint) => {
    walks.get(a)?.push(b);
    walks.get(b)?.push(a);
  };
  for (const [at, a] of sorted.entries()) {
    for (let other = at + 1; other < sorted.length; other += 1) {
      const b = sorted[other];
      if (!b || (b.latitude - a.latitude) * DEGREE_KM * 1_000 > WALKED_AT_ENDS) {
        break;
      }
      const isAtEnd = [a, b].some((point) => point === from || point === to);
      if (metresBetween(a, b) <= (isAtEnd ? WALKED_AT_ENDS : WALKED_BETWEEN)) {
        add(a, b);
      }
    }
  }
  for (const end of [from, to].filter((point) => !point.place?.station && !walks.get(point)?.length)) {
    const nearest = nearestOf(end, stations, (station) => station);
    if (nearest && metresBetween(nearest, end) <= LONGEST_WALK) {
      add(nearest, end);
    }
  }
  return walks;
}

function createPatterns(): readonly Pattern[] {
  return LINES.filter(({ kind }) => kind !== "freight").flatMap((line) => {
    const { frequency } = line;
    const turns = line.stops.some(({ calls }) => calls !== "all")
      ? (["even", "odd"] as const)
      : (["even"] as const);
    const interval = "everyMinutes" in frequency ? frequency.everyMinutes : (16 * 60) / frequency.timesADay;
    return (["down", "up"] as const).flatMap((direction) =>
      turns.map((turn) => {
        const { stations, timings } = courseOf(line, direction, turn);
        const stops = timings.flatMap((timing, at) => {
          const station = stations[at];
          return timing && station ? [{ point: stationWaypoint(station), ...timing }] : [];
        });
        return { stops, waitMinutes: (interval * turns.length) / 2 };
      }),
    );
  });
}
