// The trains of a line on a day: when each leaves, and on which part of its course it runs.
import { dayKind, openHours, type DayKind, type OpenHours } from "./calendar.ts";
import { hash } from "./chance.ts";
import { LINES, TERMINI, type Line } from "./network.ts";
import { phasesOf } from "./phases.ts";
import { courseOf, type Course, type Direction } from "./timings.ts";

/** A train on a day, before its calls are calculated. */
export interface Run {
  readonly course: Course;
  /** The train's number on its line and in its direction; the same every day for the same time of day. */
  readonly number: number;
  /** When it would leave the start of the course, in minutes past midnight. May be negative if it starts on the way. */
  readonly startMinute: number;
  /** The positions of its first and last call on the course. */
  readonly first: number;
  readonly last: number;
  /** The factor on all travel times; above 1 only for a replacement bus. */
  readonly slowness: number;
}

/** The most trains a day on a line in one direction: one every 10 minutes, over two days. */
const MAX_RUNS = 300;
const BUS_SLOWNESS = 1.6;
/** The shortest run of a train that does not cover its whole course, in minutes. */
const SHORTEST_RUN_MINUTES = { express: 55, regional: 15, metro: 12, sleeper: 55, freight: 12 } as const;
const LONG_COURSE_MINUTES = 45;

/** The run's permanent key, from its line, its direction and its number there. */
export function runKey(line: Line, direction: Direction, number: number): number {
  return (line.id * 2 + (direction === "down" ? 0 : 1)) * MAX_RUNS + number;
}

/** The number of possible keys. */
export const RUN_KEYS = LINES.length * 2 * MAX_RUNS;

export function runOfKey(key: number): {
  readonly lineId: number;
  readonly direction: Direction;
  readonly number: number;
} {
  const lineAndDirection = Math.floor(key / MAX_RUNS);
  return {
    lineId: Math.floor(lineAndDirection / 2),
    direction: lineAndDirection % 2 === 0 ? "down" : "up",
    number: key % MAX_RUNS,
  };
}

/** All trains of a line in one direction that start on a date, in no particular order. */
export function runsOn(line: Line, direction: Direction, date: string, seed: number): readonly Run[] {
  const kind = dayKind(date);
  const hours = openHours(line, kind, date, seed);
  if (!hours) {
    return [];
  }
  const slowness = isReplacedByBuses(line, kind, date, seed) ? BUS_SLOWNESS : 1;
  const day = { line, direction, kind, hours, seed };
  const starts =
    "everyMinutes" in line.frequency
      ? clockFaceStarts(line.frequency.everyMinutes, day)
      : spreadStarts(line.frequency.timesADay, day);
  return starts.flatMap(({ number, startMinute }) => {
    const course = courseOf(line, direction, number % 2 === 0 ? "even" : "odd");
    const part = openPart(course, startMinute, hours, slowness);
    return part ? [{ course, number, startMinute, slowness, ...part }] : [];
  });
}

interface LineDay {
  readonly line: Line;
  readonly direction: Direction;
  readonly kind: DayKind;
  readonly hours: OpenHours;
  readonly seed: number;
}

interface Start {
  readonly number: number;
  readonly startMinute: number;
}

/** Trains at the same minutes of every hour. Early, late and on Sundays there are fewer. */
function clockFaceStarts(
  interval: number,
  { line, direction, kind, hours, seed }: LineDay,
): readonly Start[] {
  const longest = courseOf(line, direction, "even").minutes;
  const phase = phasesOf(seed)(line, direction);
  // An even number, so that an even train stays even.
  const firstNumber = -Math.ceil(longest / (2 * interval)) * 2;
  const starts: Start[] = [];
  for (let at = firstNumber; phase + at * interval < hours.to; at += 1) {
    const startMinute = phase + at * interval;
    // The hour at which the train is in the middle of its course, where most people board.
    const hour = (startMinute + longest / 2) / 60;
    const isQuiet = kind === "sunday" || kind === "boxing" || hour < 6 || hour >= 21.5;
    if (isQuiet && interval <= 30 && ((at % 4) + 4) % 4 >= 2) {
      continue;
    }
    starts.push({ number: at - firstNumber, startMinute });
  }
  return starts;
}

/** Trains spread over the day at nearly even intervals. On Sundays there are half as many. */
function spreadStarts(timesADay: number, { line, direction, kind, hours, seed }: LineDay): readonly Start[] {
  const longest = courseOf(line, direction, "even").minutes;
  const isSleeper = line.kind === "sleeper";
  const open = isSleeper ? hours.from : hours.from + 30;
  const close = isSleeper ? hours.from + 170 : Math.max(open, Math.min(21 * 60, hours.to - longest));
  const starts: Start[] = [];
  for (let number = 0; number < timesADay; number += 1) {
    if (kind === "sunday" && timesADay > 1 && number % 2 === 1) {
      continue;
    }
    const slot = (close - open) / timesADay;
    const wobble = hash(seed, line.id, direction, number) % Math.max(1, Math.floor(slot));
    starts.push({ number, startMinute: Math.round(open + slot * number + wobble * (isSleeper ? 1 : 0.4)) });
  }
  return starts;
}

/** The part of the course within the line's hours. On long lines, it may begin and end where any line ends. */
function openPart(
  course: Course,
  startMinute: number,
  hours: OpenHours,
  slowness: number,
): { readonly first: number; readonly last: number } | undefined {
  const { timings, stations } = course;
  const calls = timings.flatMap((timing, at) => (timing ? [at] : []));
  const ends = [calls[0], calls.at(-1)];
  const mayBeCut = course.minutes >= LONG_COURSE_MINUTES && course.line.kind !== "sleeper";
  const isEnd = (at: number) => ends.includes(at) || (mayBeCut && TERMINI.has(stations[at]?.crs ?? ""));
  const minuteAt = (at: number, end: "arrive" | "depart") =>
    startMinute + (timings[at]?.[end] ?? 0) * slowness;
  const first = calls.find((at) => isEnd(at) && minuteAt(at, "depart") >= Math.max(0, hours.from));
  const last = calls.findLast((at) => isEnd(at) && minuteAt(at, "arrive") <= hours.to);
  if (first === undefined || last === undefined || last <= first) {
    return undefined;
  }
  const isWhole = first === ends[0] && last === ends[1];
  const minutes = (timings[last]?.arrive ?? 0) - (timings[first]?.depart ?? 0);
  return isWhole || minutes >= SHORTEST_RUN_MINUTES[course.line.kind] ? { first, last } : undefined;
}

/** Whether engineering work closes the line that day, mostly on Sundays. Expresses are diverted instead. */
function isReplacedByBuses(line: Line, kind: DayKind, date: string, seed: number): boolean {
  if (line.kind !== "regional" && line.kind !== "metro") {
    return false;
  }
  const perThousand = kind === "sunday" ? 60 : kind === "saturday" ? 25 : 6;
  return hash(seed, line.id, date, "works") % 1_000 < perThousand;
}
