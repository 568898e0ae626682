// The schedule of a board. Slots follow local time in the schedule's zone, even when clocks change.
import { listAnd } from "../core/text.ts";
import { z } from "zod";
import { isZone, zoneCity } from "./zones.ts";
import { UK_TIME_ZONE } from "./uk-time.ts";
import { EVERY_DAY, daysFrom, weekdayName } from "./words.ts";

/** In minutes. The data does not change more often than once a minute. */
export const SHORTEST_EVERY = 1;
/** In minutes. Longer intervals are expressed with `days`. */
export const LONGEST_EVERY = 1_440;
/** The most times a day; for more, `every` is better. */
export const MAX_TIMES = 24;

/** A local time, "HH:MM". */
export const timeSchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/** A span of the day, including both ends. If `to` is before `from`, it ends on the next day. */
const hoursSchema = z.object({ from: timeSchema, to: timeSchema }).readonly();
export type Hours = z.output<typeof hoursSchema>;

/** Monday is 1, Sunday is 7, as in ISO 8601. */
export const weekdaySchema = z.literal([1, 2, 3, 4, 5, 6, 7]);
export type Weekday = z.output<typeof weekdaySchema>;

const timingSchema = z.union([
  /**
   * Every `every` minutes, counted from the beginning of the hours, or of the day if there are none. When clocks change,
   * intervals of up to an hour count the minutes that pass, and longer ones follow local time.
   */
  z.strictObject({ every: z.int().min(SHORTEST_EVERY).max(LONGEST_EVERY) }).readonly(),
  /** At these times of the day, in order and without duplicates. */
  z.strictObject({ at: z.array(timeSchema).min(1).max(MAX_TIMES).refine(isRising).readonly() }).readonly(),
]);
export type Timing = z.output<typeof timingSchema>;

export const scheduleSchema = z
  .object({
    timing: timingSchema,
    /** The days on which the hours begin, in order. */
    days: z.array(weekdaySchema).min(1).refine(isRising).readonly(),
    /** Absent for the whole day. */
    hours: hoursSchema.optional(),
    zone: z.string().refine(isZone),
  })
  .readonly();
export type Schedule = z.output<typeof scheduleSchema>;

function isRising(values: readonly (string | number)[]): boolean {
  return values.every((value, index) => {
    const before = values[index - 1];
    return before === undefined || before < value;
  });
}

/** e.g. `every 10 minutes, 07:00–09:30, Monday to Friday`; includes the zone unless it is the UK's. */
export function formatSchedule({ timing, days, hours, zone }: Schedule): string {
  const isAlways = "every" in timing && !hours && days.length === EVERY_DAY.length;
  return [
    formatTiming(timing),
    hours && formatHours(hours),
    isAlways ? "day and night" : formatDaysPart(days),
    zone === UK_TIME_ZONE ? undefined : formatZone(zone),
  ]
    .filter((part) => part !== undefined)
    .join(", ");
}

/** As {@link formatDays}, in the form that follows times, e.g. `on Mondays and Fridays`. */
function formatDaysPart(days: readonly Weekday[]): string {
  const text = formatDays(days);
  return text.endsWith("days") ? `on ${text}` : text;
}

/** e.g. `every 10 minutes`, `at 07:30 and 17:15`; many times are only counted, e.g. `12 times from 00:30 to 22:30`. */
export function formatTiming(timing: Timing): string {
  if ("every" in timing) {
    return `every ${formatMinutes(timing.every).replace(/^1 /, "")}`;
  }
  const { at } = timing;
  return at.length > MAX_NAMED ? `${at.length} times from ${at[0]} to ${at.at(-1)}` : `at ${listAnd(at)}`;
}

/** More times than this are only counted, because nobody reads such a long list. */
const MAX_NAMED = 8;

/** e.g. `1 minute`, `90 minutes`, `2 hours`. */
export function formatMinutes(minutes: number): string {
  const [count, unit] = minutes % 60 === 0 ? [minutes / 60, "hour"] : [minutes, "minute"];
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}

/** e.g. `07:00–09:30`. */
export function formatHours({ from, to }: Hours): string {
  return `${from}–${to}`;
}

/** e.g. `every day`, `Monday to Friday`, `Mondays, Wednesdays and Fridays`. */
export function formatDays(days: readonly Weekday[]): string {
  if (days.length === EVERY_DAY.length) {
    return "every day";
  }
  // Consecutive days may continue over the end of the week.
  const ends = days
    .flatMap((first) => days.map((last) => ({ first, last })))
    .find(({ first, last }) => daysFrom(first, last).join() === days.join());
  return ends && days.length > 2
    ? `${weekdayName(ends.first)} to ${weekdayName(ends.last)}`
    : listAnd(days.map((day) => `${weekdayName(day)}s`));
}

/** e.g. `New York time`. */
export function formatZone(zone: string): string {
  const city = zoneCity(zone);
  return city === zone ? zone : `${city} time`;
}
