// A day's trains laid out for searching: trains that call at the same stations at the same intervals, side by side.
import { gradual, type Gradual, type Steps } from "../gradual.ts";
import { LINES } from "../railway/network.ts";
import { runsOn } from "../railway/runs.ts";
import type { Run } from "../railway/runs.ts";
import { STATIONS } from "../railway/stations.ts";
import type { Course } from "../railway/timings.ts";
import { ukMoment } from "../railway/uk-time.ts";

/** One train of a pattern. */
export interface PatternTrip {
  readonly run: Run;
  readonly date: string;
  /** When it would be at the start of the pattern; its times are this and the pattern's. */
  readonly zeroMs: number;
  /** Which of the pattern's stops are its first and its last. */
  readonly first: number;
  readonly last: number;
}

/** The same way at the same pace, at several times of a day. In a mirrored one time runs backwards. */
export interface Pattern {
  /** Positions in `STATIONS`, in running order. */
  readonly stops: readonly number[];
  /** Milliseconds after a trip's zero. */
  readonly arriveMs: readonly number[];
  readonly departMs: readonly number[];
  /** By `zeroMs`. */
  readonly trips: readonly PatternTrip[];
  /** Between these all of its trips lie. */
  readonly beginsMs: number;
  readonly endsMs: number;
  readonly isBus: boolean;
}

/** Where patterns call: for each station, pairs of pattern and stop. */
export interface PatternDay {
  readonly patterns: readonly Pattern[];
  readonly at: readonly (readonly { readonly pattern: Pattern; readonly stop: number }[])[];
}

/** A day, and the same with time reversed. */
export interface Day {
  readonly onward: PatternDay;
  readonly backward: PatternDay;
}

const MOST_DAYS = 8;
const MINUTE_MS = 60_000;
const indexOf = new Map(STATIONS.map((station, at) => [station.crs, at]));
const days = new Map<string, Gradual<Day>>();

/** The trains that start on a date; the last days are remembered. */
export function dayOf(date: string, seed: number): Gradual<Day> {
  const key = `${seed} ${date}`;
  const known = days.get(key);
  if (known) {
    return known;
  }
  const day = gradual(() => createDay(date, seed));
  days.set(key, day);
  for (const oldest of days.keys()) {
    if (days.size <= MOST_DAYS) {
      break;
    }
    days.delete(oldest);
  }
  return day;
}

function* createDay(date: string, seed: number): Steps<Day> {
  const patterns: Pattern[] = [];
  for (const line of LINES) {
    for (const direction of line.kind === "freight" ? [] : (["down", "up"] as const)) {
      const byCourse = Map.groupBy(runsOn(line, direction, date, seed), (run) => run.course);
      patterns.push(...[...byCourse].map(([course, runs]) => createPattern(course, runs, date)));
      yield;
    }
  }
  const backward: Pattern[] = [];
  for (const pattern of patterns) {
    backward.push(mirrored(pattern));
    yield;
  }
  return { onward: yield* indexed(patterns), backward: yield* indexed(backward) };
}

/** All runs of a line on a day are equally slow. */
function createPattern(course: Course, runs: readonly Run[], date: string): Pattern {
  const slowness = runs[0]?.slowness ?? 1;
  const calls = course.timings.flatMap((timing, position) => (timing ? [{ timing, position }] : []));
  const afterMs = (minute: number) => Math.round(minute * slowness) * MINUTE_MS;
  const callOf = new Map(calls.map(({ position }, at) => [position, at]));
  const trips = runs.map((run): PatternTrip => {
    // As trains are made: only the start is read off the clock.
    const first = callOf.get(run.first) ?? 0;
    const firstMs = afterMs(calls[first]?.timing.depart ?? 0);
    const zeroMs = ukMoment(date, run.startMinute + firstMs / MINUTE_MS) - firstMs;
    return { run, date, zeroMs, first, last: callOf.get(run.last) ?? calls.length - 1 };
  });
  const sorted = trips.toSorted((a, b) => a.zeroMs - b.zeroMs);
  const arrives = calls.map(({ timing }) => afterMs(timing.arrive));
  const departs = calls.map(({ timing }) => afterMs(timing.depart));
  return {
    stops: calls.map(({ position }) => indexOf.get(course.stations[position]?.crs ?? "") ?? -1),
    arriveMs: arrives,
    departMs: departs,
    trips: sorted,
    beginsMs: (sorted[0]?.zeroMs ?? 0) + (departs[0] ?? 0),
    endsMs: (sorted.at(-1)?.zeroMs ?? 0) + (arrives.at(-1) ?? 0),
    isBus: slowness > 1,
  };
}

function mirrored(pattern: Pattern): Pattern {
  const end = pattern.stops.length - 1;
  return {
    ...pattern,
    stops: pattern.stops.toReversed(),
    arriveMs: pattern.departMs.map((each) => -each).toReversed(),
    departMs: pattern.arriveMs.map((each) => -each).toReversed(),
    trips: pattern.trips
      .map((trip) => ({ ...trip, zeroMs: -trip.zeroMs, first: end - trip.last, last: end - trip.first }))
      .toReversed(),
    beginsMs: -pattern.endsMs,
    endsMs: -pattern.beginsMs,
  };
}

function* indexed(patterns: readonly Pattern[]): Steps<PatternDay> {
  const at: { pattern: Pattern; stop: number }[][] = STATIONS.map(() => []);
  for (const pattern of patterns) {
    pattern.stops.forEach((station, stop) => at[station]?.push({ pattern, stop }));
    yield;
  }
  return { patterns, at };
}
