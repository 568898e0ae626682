// Parses the schedule of a board, a publication's zone or a watch's hours, as people type them.
import { UserError } from "../core/errors.ts";
import {
  type Schedule,
  type Timing,
  formatHours,
  LONGEST_EVERY,
  SHORTEST_EVERY,
  type Weekday,
  type Hours,
  MAX_TIMES,
} from "./schedule.ts";
import { dayWithin, DAY_MINUTES, minuteOfDay } from "./wall-clock.ts";
import {
  EVERY_DAY,
  nonBlank,
  WEEKEND,
  WORKING_DAYS,
  daysFrom,
  plainText,
  parseSpan,
  parseWeekday,
  unreadable,
  formatTime,
} from "./words.ts";
import { listAnd, quoteText } from "../core/text.ts";
import { findZone } from "./zones.ts";
import { parseTimeOfDay } from "./day-and-time.ts";

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
  const typed = text.slice(0, LONGEST_ZONE).trim();
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
const LONGEST_ZONE = 80;

// Days and intervals.

const HOW_TO_TYPE_DAYS = "Try weekdays, Mon-Fri, or Mon, Wed, Fri.";

/** Parses e.g. `weekdays`, `fri-mon` or `Mon, Wed & Fri`; returns them in order. Otherwise throws a UserError. */
export function parseDays(text: string): readonly Weekday[] {
  const typed = plainText(text).replace(/ ?(?:-|\b(?:to|till|until|through|thru)\b) ?/g, "-");
  const whole = namedDays(typed);
  if (whole) {
    return whole;
  }
  const parts = typed.split(/[\s,;&+/]+/).filter((part) => part !== "" && !FILLERS.has(part));
  if (parts.length === 0) {
    throw unreadable("", "On which days?", HOW_TO_TYPE_DAYS);
  }
  const days = new Set(parts.flatMap(readPart));
  return EVERY_DAY.filter((day) => days.has(day));
}

const FILLERS: ReadonlySet<string> = new Set(["and", "on", "every", "each"]);

/** e.g. `mon`, `fri-mon`, `weekends`. */
function readPart(part: string): readonly Weekday[] {
  const named = namedDays(part);
  if (named) {
    return named;
  }
  const [first = "", last = first, ...others] = part.split("-");
  const from = parseWeekday(first);
  const to = parseWeekday(last);
  if (from === undefined || to === undefined || others.length > 0) {
    throw unreadable(part, "On which days?", HOW_TO_TYPE_DAYS, " as a day");
  }
  return daysFrom(from, to);
}

function namedDays(typed: string): readonly Weekday[] | undefined {
  if (/^(?:on )?(?:(?:every )?weekdays?|work(?:ing )?days?)$/.test(typed)) {
    return WORKING_DAYS;
  }
  if (/^(?:on |at )?(?:the |every )?weekends?$/.test(typed)) {
    return WEEKEND;
  }
  return /^(?:daily|every ?day|each day|all days|all week|any day|all|always)$/.test(typed)
    ? EVERY_DAY
    : undefined;
}

const HOW_TO_TYPE_EVERY = "Try 10 minutes or 1 hour.";

/** Parses e.g. `5`, `every 10 minutes`, `1h` or `half an hour`; returns minutes. Throws a UserError for anything else. */
export function parseEvery(text: string): number {
  const typed = plainText(text).replace(/^(?:once )?(?:every|each)(?: |$)/, "");
  const span = parseSpan(typed);
  if (!span) {
    throw unreadable(text, "How often?", HOW_TO_TYPE_EVERY);
  }
  const minutes = span.days * 1_440 + span.seconds / 60;
  if (minutes < SHORTEST_EVERY || !Number.isInteger(minutes)) {
    throw new UserError(
      `Train data changes once a minute, so choose whole minutes, 1 or more. ${HOW_TO_TYPE_EVERY}`,
    );
  }
  if (minutes > LONGEST_EVERY) {
    throw new UserError(
      "A board updates at least every 24 hours. For certain days only, choose the days, and one time with `at`.",
    );
  }
  return minutes;
}

// Hours and times of day.

const HOW_TO_TYPE_HOURS = "Try 07:00-09:30 or 6am-10pm.";

/**
 * Parses e.g. `07:00-09:30`, `7 to 9:30` or `10pm–2`; `undefined` for the whole day. Throws a UserError for anything
 * else, and if a time could be in the morning or in the evening.
 */
export function parseHours(text: string): Hours | undefined {
  const typed = plainText(text).replace(/^(?:between|from) /, "");
  if (/^(?:all day|(?:the )?whole day|day and night|always|any ?time|24 ?h(?:ours)?)$/.test(typed)) {
    return undefined;
  }
  const [first = "", last = "", ...others] = typed.split(/ ?(?:-|to|until|till|and) ?/);
  if (first === "" || last === "" || others.length > 0) {
    throw unreadable(text, "Between which hours?", HOW_TO_TYPE_HOURS, " as hours");
  }
  const { from, to } = readEnds(first, last);
  if (from === to) {
    if (from === "00:00") {
      return undefined;
    }
    throw new UserError(
      `Those hours start and end at ${from}. Type two different times, e.g. 07:00-09:30, or leave them out for the whole day.`,
    );
  }
  return { from, to };
}

/** Parses hours whose ends were typed apart, e.g. `7` and `9am`. `undefined` for the whole day: two equal times. */
export function parseEnds(first: string, last: string): Hours | undefined {
  const { from, to } = readEnds(plainText(first), plainText(last));
  return from === to ? undefined : { from, to };
}

/** Applies a single "am" or "pm" to both ends: `7-9pm` is in the evening, `10-2pm` spans noon. `24:00` may end them. */
function readEnds(first: string, typedLast: string): Hours {
  const last = /^24(?:[:.]?00)?$/.test(typedLast) ? "00:00" : typedLast;
  const from = readTime(first);
  const to = readTime(last);
  if (canTakeAmPm(first) && /m\.?$/.test(last)) {
    return { from: nearerHalf(first, (time) => minuteOfDay(to) - minuteOfDay(time)), to };
  }
  if (canTakeAmPm(last) && /m\.?$/.test(first)) {
    return { from, to: nearerHalf(last, (time) => minuteOfDay(time) - minuteOfDay(from)) };
  }
  if (isAmbiguous(first) && isAmbiguous(last) && to <= from) {
    // From nine to nine makes sense only if one of them is in the evening.
    const overnight = from === to ? `${first}pm-${last}am` : `${from}-${to}`;
    throw new UserError(
      from.startsWith("12") && from !== to
        ? `Is that noon or midnight? Type ${first}pm-${last}pm, or ${first}am-${last}am.`
        : `Is that morning or evening? Type ${first}am-${last}pm, or ${overnight} if it runs past midnight.`,
    );
  }
  return { from, to };
}

/** Whether "am" or "pm" may follow: `7` or `10:30`, but neither `07:00` nor `17`. */
function canTakeAmPm(typed: string): boolean {
  return /^(?:[1-9]|1[0-2])(?:[:.]\d{2})?$/.test(typed);
}

/** Whether a time without "am" or "pm" may be before or after noon: `7`, `9:30` or `12`, but not `10:30`. */
function isAmbiguous(typed: string): boolean {
  return /^(?:[1-9](?:[:.]\d{2})?|1[0-2])$/.test(typed);
}

/** Returns the "am" or "pm" reading that gives the shorter hours, but not empty ones. */
function nearerHalf(typed: string, spanOf: (time: string) => number): string {
  const span = (time: string): number => (spanOf(time) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  const [nearest = ""] = [readTime(`${typed}am`), readTime(`${typed}pm`)].toSorted(
    (a, b) => span(a) - span(b),
  );
  return nearest;
}

function readTime(typed: string): string {
  const isHour = /^(?:[01]?\d|2[0-3])$/.test(typed);
  return isHour ? formatTime({ hour: Number(typed), minute: 0 }) : parseWallTime(typed);
}

/** Parses e.g. `7:30, 17:15` or `07.30 and 5pm`; returns sorted "HH:MM" without duplicates, or throws a UserError. */
function parseTimes(text: string): readonly string[] {
  const typed = plainText(text)
    .replace(/^(?:daily )?at /, "")
    .replace(/(?<=\d) (?=[ap]\.?m\b)/g, "")
    .split(/[\s,;&+]+|\band\b/)
    .filter((part) => part !== "");
  if (typed.length === 0) {
    throw new UserError("At which times? Type them like 07:30, 17:15.");
  }
  const times = [...new Set(typed.map(parseWallTime))].toSorted();
  if (times.length > MAX_TIMES) {
    throw new UserError(
      `A board can have up to ${MAX_TIMES} times a day. Leave some out, or use \`every\` for regular updates.`,
    );
  }
  return times;
}

/** Parses one local time in any zone; returns "HH:MM". Throws a UserError for anything else. */
function parseWallTime(typed: string): string {
  if (/^24(?:[:.]?00)?$/.test(typed)) {
    throw new UserError("The day ends at 23:59. For midnight, type 00:00: it belongs to the next day.");
  }
  const time = parseTimeOfDay(typed);
  if (time === "now" || time.ukClock !== undefined) {
    throw new UserError(`“${quoteText(typed)}” isn't a time that comes every day. Try 07:30.`);
  }
  return formatTime(time);
}
