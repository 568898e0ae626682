// The railway's clock: wall time and dates in London.
import { LRUCache } from "lru-cache";

const ZONE = "Europe/London";
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Offsets by the hour since the epoch. Summer time begins and ends on a whole hour, so an hour has one offset. */
const offsets = new LRUCache<number, number>({
  max: 5_000,
  memoMethod: (hour) =>
    Temporal.Instant.fromEpochMilliseconds(hour * HOUR_MS).toZonedDateTimeISO(ZONE).offsetNanoseconds /
    1_000_000,
});

/** How far London is ahead of UTC at a time, in milliseconds: 0, or an hour in summer. */
function ukOffsetMs(atMs: number): number {
  return offsets.memo(Math.floor(atMs / HOUR_MS));
}

/** `HH:MM` in London; seconds are dropped. */
export function formatUkTime(atMs: number): string {
  const minutes = Math.floor((atMs + ukOffsetMs(atMs)) / MINUTE_MS) % 1_440;
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

/** `YYYY-MM-DD` in London. */
export function formatUkDate(atMs: number): string {
  return new Date(atMs + ukOffsetMs(atMs)).toISOString().slice(0, 10);
}

/** e.g. `2026-07-01T17:20:40+01:00`. */
export function formatUkDateTime(atMs: number): string {
  const offsetMs = ukOffsetMs(atMs);
  const local = new Date(atMs + offsetMs).toISOString().slice(0, 19);
  return `${local}+${offsetMs === 0 ? "00" : "01"}:00`;
}

/**
 * The time when clocks in London show `minutes` past midnight of `date`; from 1,440 on it is the next day. If the clocks
 * skip the time in spring, the result is an hour later on them. If the time occurs twice in autumn, it is the first.
 */
export function ukMoment(date: string, minutes: number): number {
  // The time as if London had UTC; in summer the real one is an hour earlier.
  const atMs = Date.parse(`${date}T00:00:00Z`) + minutes * MINUTE_MS;
  return ukOffsetMs(atMs - HOUR_MS) === HOUR_MS ? atMs - HOUR_MS : atMs;
}

/** `days` may be negative. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T12:00:00Z`) + days * 24 * HOUR_MS).toISOString().slice(0, 10);
}

/** 1 for Monday to 7 for Sunday. */
export function dayOfWeek(date: string): number {
  const day = new Date(`${date}T12:00:00Z`).getUTCDay();
  return day === 0 ? 7 : day;
}
