// The trains of a day on one course: when each leaves, and over which part of the course it runs.
import { dayKind, openHours, type DayKind, type OpenHours } from "./calendar.ts";
import { hash } from "./chance.ts";
import { LINES, TERMINI, type Line } from "./network.ts";
import { phasesOf } from "./phases.ts";
import { courseOf, type Course, type Direction } from "./timings.ts";

/** One train of a day, before it is worked out in full. */
export interface Run {
  readonly course: Course;
  /** The same every day for the train at this time of day on this line. */
  readonly number: number;
  /** When it would leave the start of the course, in minutes past midnight; below 0 for trains that start on the way. */
  readonly startMinute: number;
  /** Positions on the course of its first and last call. */
  readonly first: number;
  readonly last: number;
  /** Above 1 for a replacement bus, which takes this many times as long. */
  readonly slowness: number;
}

/** A day holds at most this many trains on a line in one direction: one every 10 minutes over two days. */
const MOST_RUNS = 300;
const BUS_SLOWNESS = 1.6;
/** No express runs for less than this; others may end a day with a short trip. */
const SHORTEST_RUN_MINUTES = { express: 55, regional: 15, metro: 12, sleeper: 55, freight: 12 } as const;
const LONG_ENOUGH_TO_PART_MINUTES = 45;

/** What identifies a run for good: the line, the direction and its number there. */
export function runKey(line: Line, direction: Direction, number: number): number {
  return (line.id * 2 + (direction === "down" ? 0 : 1)) * MOST_RUNS + number;
}

/** How many keys there are. */
export const RUN_KEYS = LINES.length * 2 * MOST_RUNS;

/** What a key stands for. */
export function runOfKey(key: number): {
  readonly lineId: number;
  readonly direction: Direction;
  readonly number: number;
} {
  const lineAndDirection = Math.floor(key / MOST_RUNS);
  return {
    lineId: Math.floor(lineAndDirection / 2),
    direction: lineAndDirection % 2 === 0 ? "down" : "up",
    number: key % MOST_RUNS,
  };
}

/** All trains that start on this date along a line in one direction, in no particular order. */
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

/** A line in one direction on a day. */
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

/** Trains at the same minutes of every hour, thinned out early, late and on Sundays. */
function clockFaceStarts(
  interval: number,
  { line, direction, kind, hours, seed }: LineDay,
): readonly Start[] {
  const longest = courseOf(line, direction, "even").minutes;
  const phase = phasesOf(seed)(line, direction);
  // An even number of intervals, so that a train keeps its turn.
  const firstNumber = -Math.ceil(longest / (2 * interval)) * 2;
  const starts: Start[] = [];
  for (let at = firstNumber; phase + at * interval < hours.to; at += 1) {
    const startMinute = phase + at * interval;
    // Seen from the middle of the way, where most people board.
    const hour = (startMinute + longest / 2) / 60;
    const isQuiet = kind === "sunday" || kind === "boxing" || hour < 6 || hour >= 21.5;
    if (isQuiet && interval <= 30 && ((at % 4) + 4) % 4 >= 2) {
      continue;
    }
    starts.push({ number: at - firstNumber, startMinute });
  }
  return starts;
}

/** So many trains over the day, evenly, a few minutes off the pattern; half as many on Sundays. */
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

/** The part of the course that lies within open hours; long lines are cut where trains can start and end. */
function openPart(
  course: Course,
  startMinute: number,
  hours: OpenHours,
  slowness: number,
): { readonly first: number; readonly last: number } | undefined {
  const { timings, stations } = course;
  const calls = timings.flatMap((timing, at) => (timing ? [at] : []));
  const ends = [calls[0], calls.at(-1)];
  const mayPart = course.minutes >= LONG_ENOUGH_TO_PART_MINUTES && course.line.kind !== "sleeper";
  const isEnd = (at: number) => ends.includes(at) || (mayPart && TERMINI.has(stations[at]?.crs ?? ""));
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

/** Engineering work closes a line now and then, mostly on Sundays; expresses go another way round. */
function isReplacedByBuses(line: Line, kind: DayKind, date: string, seed: number): boolean {
  if (line.kind !== "regional" && line.kind !== "metro") {
    return false;
  }
  const perThousand = kind === "sunday" ? 60 : kind === "saturday" ? 25 : 6;
  return hash(seed, line.id, date, "works") % 1_000 < perThousand;
}
