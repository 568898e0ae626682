import { UserError } from "../core/errors.ts";
import { type Schedule, type Timing, formatHours } from "./schedule.ts";
import { dayWithin } from "./wall-clock.ts";
import { EVERY_DAY, nonBlank } from "./words.ts";
import { parseDays, parseEvery } from "./parse-days.ts";
import { parseHours, parseTimes } from "./parse-hours.ts";
import { listAnd, quoteText } from "../core/text.ts";
import { findZone } from "./zones.ts";

/** Minutes between slots if a person does not say otherwise. */
const DEFAULT_EVERY = 5;

/** The texts that a person typed; absent or blank if they left one out. */
export type ScheduleText = Partial<Record<"every" | "at" | "days" | "hours" | "zone", string | undefined>>;

/** The default is every five minutes, every day and all day. Throws a UserError that says what to type instead. */
export function parseSchedule(text: ScheduleText, defaults: { readonly zone: string }): Schedule {
  const timing = parseTiming(nonBlank(text.every), nonBlank(text.at));
  const days = nonBlank(text.days);
  const hours = nonBlank(text.hours);
  const zone = nonBlank(text.zone);
  const read = hours === undefined ? undefined : parseHours(hours);
  const schedule: Schedule = {
    timing,
    days: days === undefined ? EVERY_DAY : parseDays(days),
    ...(read && { hours: read }),
    zone: zone === undefined ? defaults.zone : parseZone(zone),
  };
  checkTimes(schedule);
  return schedule;
}

/** Throws a UserError if some of the times are outside the hours, because the board would never come then. */
export function checkTimes({ timing, hours }: Schedule): void {
  const lost = "at" in timing ? timing.at.filter((time) => !dayWithin(hours, time)) : [];
  if (hours && lost.length > 0) {
    throw new UserError(
      `${listAnd(lost)} ${lost.length === 1 ? "is" : "are"} not within ${formatHours(hours)}, so the board would never appear then. Choose other times or hours.`,
    );
  }
}

function parseTiming(every: string | undefined, at: string | undefined): Timing {
  if (every !== undefined && at !== undefined) {
    throw new UserError("Use either `every` or `at`, not both. `between` works with either.");
  }
  if (at !== undefined) {
    return { at: parseTimes(at) };
  }
  return { every: every === undefined ? DEFAULT_EVERY : parseEvery(every) };
}

/** Returns a zone's IANA name. Throws a UserError if no zone has that name. */
export function parseZone(text: string): string {
  const typed = text.slice(0, LONGEST).trim();
  // People may copy an entry from a list of zones: "New York time (America/New_York)".
  const [, inBrackets] = /\(([^()]+)\)$/.exec(typed) ?? [];
  const zone = findZone(inBrackets ?? typed);
  if (zone === undefined) {
    throw new UserError(
      `I can't find a time zone for “${quoteText(text)}”. Try the capital or another large city, e.g. London or New York.`,
    );
  }
  return zone;
}

/** The longest name has 38 letters. */
const LONGEST = 80;
