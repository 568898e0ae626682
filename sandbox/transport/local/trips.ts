// When local lines run: each trip of a day, the same from every stop on its way.
import { dayKind } from "../railway/calendar.ts";
import { hash } from "../railway/chance.ts";
import { addDays, formatUkDate, ukMoment } from "../railway/uk-time.ts";
import type { LocalLine } from "./local-line.ts";
import type { LocalCall } from "./local-network.ts";

/** One trip along a line. */
export interface Trip {
  readonly line: LocalLine;
  /** The date on which it starts, in London. */
  readonly date: string;
  /** Counted over the day from 0. */
  readonly number: number;
  /** When it leaves its first stop. */
  readonly startMs: number;
}

const MINUTE_MS = 60_000;

/** When a trip is due at one of its line's stops. */
export function dueAt(trip: Trip, at: number): number {
  return trip.startMs + (trip.line.minutes[at] ?? 0) * MINUTE_MS;
}

/** Trips due at a stop from `fromMs` up to and without `toMs`, in their order; none from where the line ends. */
export function tripsAt(
  { line, at }: LocalCall,
  fromMs: number,
  toMs: number,
  seed: number,
): readonly Trip[] {
  if (at >= line.stops.length - 1) {
    return [];
  }
  const onTheWayMs = (line.minutes[at] ?? 0) * MINUTE_MS;
  const last = formatUkDate(toMs - onTheWayMs);
  const trips: Trip[] = [];
  for (let date = formatUkDate(fromMs - onTheWayMs - 2 * 3_600_000); date <= last; date = addDays(date, 1)) {
    for (const trip of tripsOn(line, date, seed)) {
      const dueMs = trip.startMs + onTheWayMs;
      if (dueMs >= fromMs && dueMs < toMs) {
        trips.push(trip);
      }
    }
  }
  return trips;
}

/** The trips of a date. On Sundays, and on days like them, they begin later; none on Christmas Day. */
function tripsOn(line: LocalLine, date: string, seed: number): readonly Trip[] {
  const kind = dayKind(date);
  if (kind === "none") {
    return [];
  }
  const opensMinute = line.firstMinute + (kind === "sunday" || kind === "boxing" ? 90 : 0);
  const phase = hash(seed, line.id, "phase") % line.everyMinutes;
  const trips: Trip[] = [];
  for (let number = 0; ; number += 1) {
    const minute = line.firstMinute + phase + number * line.everyMinutes;
    if (minute > line.lastMinute) {
      return trips;
    }
    if (minute >= opensMinute) {
      trips.push({ line, date, number, startMs: ukMoment(date, minute) });
    }
  }
}
