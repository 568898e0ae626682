// A schedule in words, to stand within a sentence.
import { UK_TIME_ZONE } from "../../core/uk-time.ts";
import type { Hours, Schedule, Timing, Weekday } from "./schedule.ts";
import { EVERY_DAY, daysFrom, weekdayName } from "./weekdays.ts";
import { zoneCity } from "./zones.ts";

/** e.g. `every 10 minutes, 07:00–09:30, Monday to Friday`; names the zone where it is not the UK's. */
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

/** As {@link formatDays}, to follow the times, e.g. `on Mondays and Fridays`. */
function formatDaysPart(days: readonly Weekday[]): string {
  const text = formatDays(days);
  return text.endsWith("days") ? `on ${text}` : text;
}

/** e.g. `every 10 minutes`, `at 07:30 and 17:15`; many times are only counted, e.g. `12 times from 00:30 to 22:30`. */
export function formatTiming(timing: Timing): string {
  if ("every" in timing) {
    return `every ${formatAmount(timing.every).replace(/^1 /, "")}`;
  }
  const { at } = timing;
  return at.length > MOST_NAMED ? `${at.length} times from ${at[0]} to ${at.at(-1)}` : `at ${AND.format(at)}`;
}

/** More times than this are no longer read. */
const MOST_NAMED = 8;

const AND = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** e.g. `1 minute`, `90 minutes`, `2 hours`. */
export function formatAmount(minutes: number): string {
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
  const [first, last] = ends(days);
  if (first !== undefined && last !== undefined && days.length > 2) {
    return `${weekdayName(first)} to ${weekdayName(last)}`;
  }
  return AND.format(days.map((day) => `${weekdayName(day)}s`));
}

/** The first and the last of days that follow one another, over the end of the week too; nothing where they do not. */
function ends(days: readonly Weekday[]): readonly [Weekday, Weekday] | readonly [] {
  for (const first of days) {
    const last = days.find((day) => isSame(daysFrom(first, day), days));
    if (last !== undefined) {
      return [first, last];
    }
  }
  return [];
}

function isSame(some: readonly Weekday[], others: readonly Weekday[]): boolean {
  return some.length === others.length && some.every((day, index) => day === others[index]);
}

/** e.g. `New York time`. */
export function formatZone(zone: string): string {
  const city = zoneCity(zone);
  return city === zone ? zone : `${city} time`;
}
