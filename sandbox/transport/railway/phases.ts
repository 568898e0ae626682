// The minutes of the hour at which a line's trains leave, chosen so that trains do not follow each other too closely.
import { hash } from "./chance.ts";
import { LINES, type Line } from "./network.ts";
import { bearing } from "../map/position.ts";
import { courseOf, type Course, type Direction } from "./timings.ts";

/** Returns a line's phase: the minute, from 0 to below the line's interval, at which its trains leave. */
export type Phases = (line: Line, direction: Direction) => number;

const HOUR = 60;
/** The cost of another train in the same direction, by how many minutes it is before or after. */
const CROWDING = [12, 5, 2, 1, 0.5];

const bySeed = new Map<number, Phases>();

/** The phases of a seed, chosen line by line: each where the tracks are emptiest. */
export function phasesOf(seed: number): Phases {
  const known = bySeed.get(seed);
  if (known) {
    return known;
  }
  const chosen = choosePhases(seed);
  const phases: Phases = (line, direction) => chosen.get(`${line.id}${direction}`) ?? 0;
  bySeed.set(seed, phases);
  return phases;
}

function choosePhases(seed: number): ReadonlyMap<string, number> {
  const chosen = new Map<string, number>();
  /** By minute of the hour. */
  const tracks = new Map<string, Float64Array>();
  for (const line of LINES) {
    if (!("everyMinutes" in line.frequency)) {
      continue;
    }
    const interval = line.frequency.everyMinutes;
    for (const direction of ["down", "up"] as const) {
      const uses = usesOf(courseOf(line, direction, "even"), tracks);
      const offset = hash(seed, line.id, direction, "phase") % interval;
      let best = offset;
      let leastCrowding = Infinity;
      for (let each = 0; each < interval; each += 1) {
        const phase = (offset + each) % interval;
        const crowding = crowdingOf(uses, phase, interval);
        if (crowding < leastCrowding) {
          leastCrowding = crowding;
          best = phase;
        }
      }
      occupy(uses, best, interval);
      chosen.set(`${line.id}${direction}`, best);
    }
  }
  return chosen;
}

interface Use {
  readonly track: Float64Array;
  /** When the train uses the track, in minutes after the start of its course. */
  readonly minute: number;
}

/** The tracks that a course uses out of its stations. Courses that leave in about the same direction share a track. */
function usesOf({ stations, timings }: Course, tracks: Map<string, Float64Array>): readonly Use[] {
  const calls = timings.flatMap((timing, at) => {
    const station = stations[at];
    return timing && station ? [{ timing, station }] : [];
  });
  return calls.flatMap(({ timing, station }, at) => {
    const next = calls[at + 1];
    if (!next) {
      return [];
    }
    const key = `${station.crs}${Math.round(bearing(station, next.station) / 60) % 6}`;
    const track = tracks.get(key) ?? new Float64Array(HOUR);
    tracks.set(key, track);
    return [{ track, minute: timing.depart }];
  });
}

function crowdingOf(uses: readonly Use[], phase: number, interval: number): number {
  let crowding = 0;
  for (const { track, minute } of uses) {
    for (let at = phase + minute; at < phase + minute + HOUR; at += interval) {
      crowding += track[at % HOUR] ?? 0;
    }
  }
  return crowding;
}

function occupy(uses: readonly Use[], phase: number, interval: number): void {
  for (const { track, minute } of uses) {
    for (let at = phase + minute; at < phase + minute + HOUR; at += interval) {
      CROWDING.forEach((weight, apart) => {
        for (const near of apart === 0 ? [at] : [at - apart, at + apart]) {
          const slot = (near + HOUR) % HOUR;
          track[slot] = (track[slot] ?? 0) + weight;
        }
      });
    }
  }
}
