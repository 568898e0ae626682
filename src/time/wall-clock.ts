// Converts the local times of one day in a zone to moments, in milliseconds since the epoch.
import { LRUCache } from "lru-cache";
import type { Hours } from "./schedule.ts";
import { formatDay, formatTime, monthName, weekdayName } from "./words.ts";

export interface WallDay {
  readonly date: Temporal.PlainDate;
  readonly zone: string;
  readonly startMs: number;
  /** The first moment of the next day; the same as `startMs` for a date that the zone skipped. */
  readonly endMs: number;
}

export function dateAt(zone: string, atMs: number): Temporal.PlainDate {
  return instantAt(atMs).toZonedDateTimeISO(zone).toPlainDate();
}

/** Formats a moment in local time, e.g. `07:20`, `Mon 23 Nov`, `23 Nov` and `Monday`. */
export function wallTime(zone: string, atMs: number) {
  const moment = instantAt(atMs).toZonedDateTimeISO(zone);
  return {
    time: formatTime(moment),
    day: formatDay(moment),
    date: `${moment.day} ${monthName(moment.month).slice(0, 3)}`,
    weekday: weekdayName(moment.dayOfWeek),
  };
}

/** Boards of a zone need the same few days repeatedly, and calculating one takes seven times as long. */
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

export function dayAfter({ zone, date }: WallDay): WallDay {
  return wallDay(zone, date.add({ days: 1 }));
}

/**
 * If clocks show the minute twice, the first time counts. If they skip it, 01:30 means 02:30, or 00:30 if `skipped` is
 * "earlier".
 */
export function momentOf(
  day: WallDay,
  minute: number,
  skipped: "earlier" | "compatible" = "compatible",
): number {
  // Clocks change on only a few days. On all others, minutes can simply be counted.
  if (day.endMs - day.startMs === DAY_MS) {
    return day.startMs + minute * MINUTE_MS;
  }
  const local = day.date.toPlainDateTime({ hour: Math.floor(minute / 60), minute: minute % 60 });
  return local.toZonedDateTime(day.zone, { disambiguation: skipped }).epochMilliseconds;
}

export const MINUTE_MS = 60_000;
export const DAY_MINUTES = 1_440;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = DAY_MINUTES * MINUTE_MS;

export function instantAt(ms: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(ms);
}

function startOf(zone: string, date: Temporal.PlainDate): number {
  return date.toZonedDateTime(zone).epochMilliseconds;
}

/** In order: one moment, but two in an hour that comes twice, and none in an hour that is skipped. */
export function instantsOf(local: Temporal.PlainDateTime, zone: string): readonly Temporal.Instant[] {
  const earlier = local.toZonedDateTime(zone, { disambiguation: "earlier" });
  const later = local.toZonedDateTime(zone, { disambiguation: "later" });
  if (earlier.equals(later)) {
    return [later.toInstant()];
  }
  return earlier.toPlainDateTime().equals(local) ? [earlier.toInstant(), later.toInstant()] : [];
}

/** Minutes from midnight to "HH:MM". */
export function minuteOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/** `first`: the day on which the hours begin. `next`: the next one, if they span midnight. `undefined`: outside. */
export function dayWithin(hours: Hours | undefined, time: string): "first" | "next" | undefined {
  if (!hours) {
    return "first";
  }
  // "HH:MM" sorts as text in the order of time.
  const { from, to } = hours;
  if (from <= time && (time <= to || to < from)) {
    return "first";
  }
  return time <= to && to < from ? "next" : undefined;
}
