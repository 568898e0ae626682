// What the clock on a zone's wall shows on one day, as moments: milliseconds since the epoch.
import { LRUCache } from "lru-cache";
import type { Hours } from "./schedule.ts";
import { formatDay, formatTime, monthName, weekdayName } from "./words.ts";

/** One day on the wall. */
export interface WallDay {
  readonly date: Temporal.PlainDate;
  readonly zone: string;
  readonly startMs: number;
  /** The next day's first moment; the same as `startMs` for a date that the zone left out. */
  readonly endMs: number;
}

/** The date on the wall at a moment. */
export function dateAt(zone: string, atMs: number): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).toPlainDate();
}

/** What a moment is called there, e.g. `07:20`, `Mon 23 Nov`, `23 Nov` and `Monday`. */
export function wallTime(zone: string, atMs: number) {
  const moment = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone);
  return {
    time: formatTime(moment.hour, moment.minute),
    day: formatDay(moment),
    date: `${moment.day} ${monthName(moment.month).slice(0, 3)}`,
    weekday: weekdayName(moment.dayOfWeek),
  };
}

/** Boards of a zone need the same few days again and again, and working one out takes seven times as long. */
const knownDays = new LRUCache<string, WallDay>({ max: 1_000 });

export function wallDay(zone: string, date: Temporal.PlainDate): WallDay {
  const key = `${date.toString()} ${zone}`;
  const day = knownDays.get(key) ?? {
    date,
    zone,
    startMs: startOf(zone, date),
    endMs: startOf(zone, date.add({ days: 1 })),
  };
  knownDays.set(key, day);
  return day;
}

export function dayAfter({ zone, date, endMs }: WallDay): WallDay {
  return {
    date: date.add({ days: 1 }),
    zone,
    startMs: endMs,
    endMs: startOf(zone, date.add({ days: 2 })),
  };
}

/**
 * When the wall shows this minute of the day: the first time of two. What a change of clocks leaves out comes later by
 * as much as the clocks jump, e.g. 01:30 at 02:30.
 */
export function momentOf(day: WallDay, minute: number): number {
  return hasChange(day) ? zonedTime(day, minute).epochMilliseconds : day.startMs + minute * MINUTE_MS;
}

/** When the wall first shows this minute of the day; the first moment after the jump where clocks leave it out. */
export function firstMomentFrom(day: WallDay, minute: number): number {
  return jumpOver(day, minute) ?? momentOf(day, minute);
}

/** When the wall first shows this minute of the day; the last minute before the jump where clocks leave it out. */
export function lastMomentUntil(day: WallDay, minute: number): number {
  const jumpMs = jumpOver(day, minute);
  return jumpMs === undefined ? momentOf(day, minute) : jumpMs - MINUTE_MS;
}

export const MINUTE_MS = 60_000;
export const DAY_MINUTES = 1_440;
const DAY_MS = DAY_MINUTES * MINUTE_MS;

function startOf(zone: string, date: Temporal.PlainDate): number {
  return date.toZonedDateTime(zone).epochMilliseconds;
}

/**
 * The moments at which clocks in a zone show this date and time, in order: one, but two in the hour that comes twice
 * and none in the hour that is left out.
 */
export function instantsOf(local: Temporal.PlainDateTime, zone: string): readonly Temporal.Instant[] {
  const earlier = local.toZonedDateTime(zone, { disambiguation: "earlier" });
  const later = local.toZonedDateTime(zone, { disambiguation: "later" });
  if (earlier.equals(later)) {
    return [later.toInstant()];
  }
  return earlier.toPlainDateTime().equals(local) ? [earlier.toInstant(), later.toInstant()] : [];
}

/** Nearly no day has one, and on all others minutes can simply be counted. */
function hasChange({ startMs, endMs }: WallDay): boolean {
  return endMs - startMs !== DAY_MS;
}

/** When the clocks jump over this minute of the day; `undefined` where the wall shows it. */
function jumpOver(day: WallDay, minute: number): number | undefined {
  if (!hasChange(day)) {
    return undefined;
  }
  const local = localTime(day, minute);
  if (zonedTime(day, minute).toPlainDateTime().equals(local)) {
    return undefined;
  }
  const before = local.toZonedDateTime(day.zone, { disambiguation: "earlier" });
  return before.getTimeZoneTransition("next")?.epochMilliseconds;
}

function zonedTime(day: WallDay, minute: number): Temporal.ZonedDateTime {
  return localTime(day, minute).toZonedDateTime(day.zone, { disambiguation: "compatible" });
}

function localTime({ date }: WallDay, minute: number): Temporal.PlainDateTime {
  return date.toPlainDateTime({ hour: Math.floor(minute / 60), minute: minute % 60 });
}

/** The minute of the day of "HH:MM". */
export function minuteOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/**
 * Where a time lies within hours: on the day on which they begin, or on the next one for hours over midnight;
 * `undefined` outside of them. Without hours every time is within.
 */
export function dayWithin(hours: Hours | undefined, time: string): "first" | "next" | undefined {
  if (!hours) {
    return "first";
  }
  // As text, "HH:MM" is in the order of time.
  const { from, to } = hours;
  if (from <= time && (time <= to || to < from)) {
    return "first";
  }
  return time <= to && to < from ? "next" : undefined;
}
