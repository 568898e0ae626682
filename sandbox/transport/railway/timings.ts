// Journey times: minutes from the start of a line to each of its stops, from the distance and the kind of train.
import type { Line, LineKind } from "./network.ts";
import { kmBetween } from "../map/position.ts";
import type { RailStation } from "./stations.ts";

/** `down` is the order in which the line is written, `up` the opposite. */
export type Direction = "down" | "up";
/** Whether a train's number is even. Even and odd trains take turns at stops that only every second train serves. */
export type Turn = "even" | "odd";

/** Minutes after the train's start. */
interface StopTiming {
  readonly arrive: number;
  readonly depart: number;
}

/** A line in one direction at one turn: its stations in running order, with times. */
export interface Course {
  readonly line: Line;
  readonly direction: Direction;
  readonly turn: Turn;
  readonly stations: readonly RailStation[];
  /** `undefined` for stations at which the train does not call. */
  readonly timings: readonly (StopTiming | undefined)[];
  /** Minutes from the first call to the last. */
  readonly minutes: number;
}

interface Pace {
  /** The average speed between two calls: `slowKmh`, plus `gainKmh` for each kilometre, at most `topKmh`. */
  readonly slowKmh: number;
  readonly gainKmh: number;
  readonly topKmh: number;
  readonly dwellMinutes: number;
}

const PACES: Readonly<Record<LineKind, Pace>> = {
  express: { slowKmh: 55, gainKmh: 2, topKmh: 168, dwellMinutes: 1.5 },
  regional: { slowKmh: 42, gainKmh: 2.2, topKmh: 105, dwellMinutes: 0.75 },
  metro: { slowKmh: 34, gainKmh: 3, topKmh: 75, dwellMinutes: 0.5 },
  sleeper: { slowKmh: 45, gainKmh: 0.6, topKmh: 95, dwellMinutes: 4 },
  freight: { slowKmh: 35, gainKmh: 0.8, topKmh: 70, dwellMinutes: 6 },
};

/** Track is longer than the crow's flight by this factor, because it winds. */
const TRACK = 1.15;
/** Minutes that trains stop at big junctions, where they are joined, reversed or get another crew. */
const LONG_STAYS: Readonly<Record<string, number>> = {
  BHM: 6,
  CDF: 3,
  CRE: 3,
  DHM: 1,
  DON: 2,
  EDB: 6,
  INV: 5,
  LDS: 4,
  MAN: 4,
  NCL: 4,
  NOT: 5,
  RDG: 4,
  SHF: 4,
  YRK: 3,
};

const courses = new Map<string, Course>();

export function courseOf(line: Line, direction: Direction, turn: Turn): Course {
  const key = `${line.id}${direction}${turn}`;
  const known = courses.get(key);
  if (known) {
    return known;
  }
  const course = createCourse(line, direction, turn);
  courses.set(key, course);
  return course;
}

function createCourse(line: Line, direction: Direction, turn: Turn): Course {
  const stops = direction === "down" ? line.stops : line.stops.toReversed();
  const pace = PACES[line.kind];
  const timings: (StopTiming | undefined)[] = [];
  let clock = 0;
  let sinceKm = 0;
  let previous: RailStation | undefined;
  let hasStarted = false;
  for (const { station, calls } of stops) {
    sinceKm += previous ? kmBetween(previous, station) * TRACK : 0;
    previous = station;
    if (calls !== "all" && calls !== turn) {
      timings.push(undefined);
      continue;
    }
    if (hasStarted) {
      const speed = Math.min(pace.topKmh, pace.slowKmh + pace.gainKmh * sinceKm);
      clock += Math.max(1, (sinceKm / speed) * 60);
    }
    const arrive = Math.round(clock);
    clock += hasStarted ? dwellAt(station, line.kind) : 0;
    timings.push({ arrive, depart: Math.max(arrive, Math.round(clock)) });
    hasStarted = true;
    sinceKm = 0;
  }
  const minutes = timings.findLast((timing) => timing !== undefined)?.arrive ?? 0;
  return { line, direction, turn, stations: stops.map((stop) => stop.station), timings, minutes };
}

function dwellAt(station: RailStation, kind: LineKind): number {
  const usual = PACES[kind].dwellMinutes;
  return kind === "metro" ? usual : Math.max(usual, LONG_STAYS[station.crs] ?? 0);
}
