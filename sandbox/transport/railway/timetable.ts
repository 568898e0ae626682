// The timetable: which trains call where and when. All stations agree about a train.
import { LRUCache } from "lru-cache";
import { dayKind } from "./calendar.ts";
import { LINES, type Line } from "./network.ts";
import { runKey, runOfKey, runsOn, type Run } from "./runs.ts";
import type { Direction } from "./timings.ts";
import { callAt, createTrain, type Train } from "./train.ts";
import { addDays, formatUkDate, ukMoment } from "./uk-time.ts";
import { keyOfUid } from "./uids.ts";

export interface Visit {
  readonly train: Train;
  /** The index of the train's call. */
  readonly at: number;
}

export type Timetable = ReturnType<typeof createTimetable>;

interface Passage {
  readonly line: Line;
  readonly direction: Direction;
  /** The station's position on the course in this direction. */
  readonly position: number;
}

const MAX_DAYS = 8;
const MAX_TRAINS = 8_000;
/** Every train ends within a day of its start, even a sleeper or late freight. */
const DAY_MS = 24 * 3_600_000;
/** An hour for nights when the clocks change, and a minute for the rounding of a train's times. */
const GRACE_MINUTES = 61;

const passages = createPassages();

/** The timetable of a seed. It calculates trains on demand and caches the last days. */
export function createTimetable(seed: number) {
  const days = new LRUCache<string, Map<string, readonly Run[]>>({
    max: MAX_DAYS,
    memoMethod: () => new Map(),
  });
  const trains = new LRUCache<string, Train>({ max: MAX_TRAINS });

  function runs(line: Line, direction: Direction, date: string): readonly Run[] {
    const day = days.memo(date);
    const key = `${line.id}${direction}`;
    let known = day.get(key);
    if (!known) {
      known = runsOn(line, direction, date, seed);
      day.set(key, known);
    }
    return known;
  }

  function trainOfRun(run: Run, date: string): Train {
    const id = `${runKey(run.course.line, run.course.direction, run.number)}:${date}`;
    let train = trains.get(id);
    if (!train) {
      train = createTrain(run, date, seed);
      trains.set(id, train);
    }
    return train;
  }

  function visitsFrom(
    date: string,
    passed: readonly Passage[],
    fromMs: number,
    toMs: number,
  ): readonly Visit[] {
    if (dayKind(date) === "none") {
      return [];
    }
    const midnightMs = ukMoment(date, 0);
    const fromMinute = (fromMs - midnightMs) / 60_000 - GRACE_MINUTES;
    const toMinute = (toMs - midnightMs) / 60_000 + GRACE_MINUTES;
    return passed.flatMap(({ line, direction, position }) =>
      runs(line, direction, date).flatMap((run) => {
        const timing = run.course.timings[position];
        if (!timing || position < run.first || position > run.last) {
          return [];
        }
        const minute = run.startMinute + timing.depart * run.slowness;
        if (minute < fromMinute || minute > toMinute) {
          return [];
        }
        const train = trainOfRun(run, date);
        const at = callAt(run, position);
        const call = train.calls[at];
        const atMs = call?.departMs ?? call?.arriveMs ?? Number.NaN;
        return atMs >= fromMs && atMs < toMs ? [{ train, at }] : [];
      }),
    );
  }

  return {
    /**
     * The trains that call at a station from `fromMs` until before `toMs`, ordered by aimed departure, or by aimed arrival
     * at a train's end. With `alsoAt`, only trains of lines that also call there.
     */
    trainsAt(crs: string, fromMs: number, toMs: number, alsoAt?: string): readonly Visit[] {
      const here = passages.get(crs) ?? [];
      const passed =
        alsoAt === undefined
          ? here
          : here.filter(({ line }) => line.stops.some(({ station }) => station.crs === alsoAt));
      const visits: Visit[] = [];
      const last = formatUkDate(toMs);
      for (let date = formatUkDate(fromMs - DAY_MS); date <= last; date = addDays(date, 1)) {
        visits.push(...visitsFrom(date, passed, fromMs, toMs));
      }
      return visits.toSorted((a, b) => timeOf(a) - timeOf(b) || (a.train.uid < b.train.uid ? -1 : 1));
    },
    trainOf(uid: string, serviceDate: string): Train | undefined {
      const key = keyOfUid(uid, seed);
      if (key === undefined) {
        return undefined;
      }
      const { lineId, direction, number } = runOfKey(key);
      const line = LINES[lineId];
      const run = line && runs(line, direction, serviceDate).find((each) => each.number === number);
      return run && trainOfRun(run, serviceDate);
    },
  };
}

function timeOf({ train, at }: Visit): number {
  const call = train.calls[at];
  return call?.departMs ?? call?.arriveMs ?? 0;
}

function createPassages(): ReadonlyMap<string, readonly Passage[]> {
  const found = new Map<string, Passage[]>();
  for (const line of LINES) {
    line.stops.forEach(({ station }, at) => {
      const here = found.get(station.crs) ?? [];
      here.push({ line, direction: "down", position: at });
      here.push({ line, direction: "up", position: line.stops.length - 1 - at });
      found.set(station.crs, here);
    });
  }
  return found;
}
