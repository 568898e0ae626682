// Parses a day, or a time of day, as people type them.
import { UserError } from "../core/errors.ts";
import {
  monthName,
  plainMoment,
  parseMonth,
  parseSpan,
  parseWeekday,
  unreadable,
  formatTime,
} from "./words.ts";

/** A day, and how the text named it. A weekday, or a date without a year, could also mean another day. */
export interface Day {
  readonly date: Temporal.PlainDate;
  readonly named: "relative" | "weekday" | "date";
}

const HOW_TO_TYPE_DAY = "Try tomorrow, next Tuesday, in 3 days, 25 Dec or 2026-12-25.";

/** A weekday means the next one, even today, and a date without a year the nearest. Otherwise throws a UserError. */
export function parseDay(text: string, today: Temporal.PlainDate): Day {
  const typed = plainMoment(text).replace(/^on /, "");
  const [, span = ""] = SPAN.exec(typed) ?? [];
  const days = RELATIVE.get(typed) ?? parseSpan(span)?.days;
  if (days !== undefined) {
    return { date: today.add({ days }), named: "relative" };
  }
  const weekday = parseWeekday(typed.replace(/^(?:this|next) /, ""));
  if (weekday !== undefined) {
    const away = (weekday + 7 - today.dayOfWeek) % 7;
    // On a Tuesday, "next Tuesday" is a week later.
    return {
      date: today.add({ days: away === 0 && typed.startsWith("next ") ? 7 : away }),
      named: "weekday",
    };
  }
  const parts = readNumbers(typed) ?? readMonthName(typed) ?? HOLIDAYS.get(typed.replaceAll("’", "'"));
  if (!parts) {
    throw unreadable(text, "Which day?", HOW_TO_TYPE_DAY, " as a date");
  }
  return { date: dateOf(parts, today), named: "date" };
}

const RELATIVE: ReadonlyMap<string, number> = new Map([
  ["yesterday", -1],
  ["today", 0],
  ["tonight", 0],
  ["tomorrow", 1],
  ["tmrw", 1],
  ["day after tomorrow", 2],
  ["the day after tomorrow", 2],
  ["next week", 7],
]);

const SPAN = /^(?:in )?((?:\d{1,3}|an?|one|two|three) (?:days?|weeks?))(?: from now)?$/;

interface Parts {
  readonly year?: number | undefined;
  readonly month: number;
  readonly day: number;
}

/** The days with few or no trains, by the names that people use. */
const HOLIDAYS: ReadonlyMap<string, Parts> = new Map([
  ["christmas eve", { month: 12, day: 24 }],
  ["christmas day", { month: 12, day: 25 }],
  ["christmas", { month: 12, day: 25 }],
  ["boxing day", { month: 12, day: 26 }],
  ["new year's eve", { month: 12, day: 31 }],
  ["new year's day", { month: 1, day: 1 }],
]);

/** Parses `2026-12-25`, `25/12/2026`, `25.12.26` or `25/12`. The day comes first, as in the UK, unless the year does. */
function readNumbers(typed: string): Parts | undefined {
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(typed) ?? [];
  if (isoYear !== undefined) {
    return { year: Number(isoYear), month: Number(isoMonth), day: Number(isoDay) };
  }
  const [, day, month, year] = /^(\d{1,2})[-/.](\d{1,2})(?:[-/.](\d{4}|\d{2}))?$/.exec(typed) ?? [];
  return day === undefined ? undefined : { year: fullYear(year), month: Number(month), day: Number(day) };
}

/** Parses `25 Dec`, `25th December 2026`, `Fri 25 Dec` or `Dec 25`. */
function readMonthName(typed: string): Parts | undefined {
  const [first = "", ...others] = typed.split(" ");
  const rest = parseWeekday(first) === undefined ? typed : others.join(" ");
  const [, dayBefore, monthAfter, yearAfter] = DAY_FIRST.exec(rest) ?? [];
  const [, monthBefore, dayAfter, yearLast] = MONTH_FIRST.exec(rest) ?? [];
  const month = parseMonth(monthAfter ?? monthBefore ?? "");
  return month === undefined
    ? undefined
    : { year: fullYear(yearAfter ?? yearLast), month, day: Number(dayBefore ?? dayAfter) };
}

const DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th)?(?: of)? ?([a-z]{3,9})\.?(?: (\d{4}|\d{2}))?$/;
const MONTH_FIRST = /^([a-z]{3,9})\.? ?(\d{1,2})(?:st|nd|rd|th)?(?: (\d{4}))?$/;

function fullYear(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text.length === 2 ? `20${text}` : text);
}

function dateOf({ year, month, day }: Parts, today: Temporal.PlainDate): Temporal.PlainDate {
  const years = year === undefined ? [today.year, today.year + 1, today.year - 1] : [year];
  const away = (date: Temporal.PlainDate): number => Math.abs(today.until(date).days);
  const [nearest] = years
    .flatMap((candidate) => existingDate({ year: candidate, month, day }) ?? [])
    .toSorted((a, b) => away(a) - away(b));
  if (!nearest) {
    const name = monthName(month);
    const written = [day, name, year].filter((part) => part !== undefined).join(" ");
    throw new UserError(
      name === ""
        ? `There's no month ${month}: the day comes before the month, e.g. 25/12/2026. ${HOW_TO_TYPE_DAY}`
        : `There's no ${written}. ${HOW_TO_TYPE_DAY}`,
    );
  }
  return nearest;
}

function existingDate(fields: { year: number; month: number; day: number }): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from(fields, { overflow: "reject" });
  } catch {
    return undefined;
  }
}

export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
  /** Which UK clock the person named; needed for the hour that UK clocks show twice. */
  readonly ukClock: "bst" | "gmt" | undefined;
}

const HOW_TO_TYPE_TIME = "Try 17:31, 1731 or 5pm.";

const END = String.raw`(?: ?([ap])\.?m\.?)?(?: (bst|gmt))?$`;
/** Matches `17:31`, `9.05`, `5pm`, `5:30 pm` and `01:30 GMT`; seconds are allowed and ignored. */
const TIME = new RegExp(String.raw`^(\d{1,2})(?:[:.](\d{2})(?::\d{2})?|(?= ?[ap]\.?m))${END}`);
/** Matches `1731`, `905` and `0530pm`. */
const COMPACT = new RegExp(String.raw`^(\d{1,2})(\d{2})${END}`);

function readShape(typed: string): RegExpExecArray | null {
  const inDigits = typed.replace(/^(?:noon|midday|midnight)(?= bst$| gmt$|$)/, (name) =>
    name === "midnight" ? "00:00" : "12:00",
  );
  return TIME.exec(inDigits) ?? COMPACT.exec(inDigits);
}

/** Whether plain text has the form of a time, even if there is no such time. A bare number does not count. */
export function looksLikeTime(typed: string): boolean {
  return readShape(typed) !== null;
}

/** Parses a time, e.g. `at 5pm`, or `now`. Throws a UserError that explains what is wrong with the text. */
export function parseTimeOfDay(text: string): TimeOfDay | "now" {
  const typed = plainMoment(text).replace(/^at /, "");
  if (typed === "now") {
    return "now";
  }
  const [, hours, minutes = "0", half, ukClock] = readShape(typed) ?? [];
  if (hours === undefined) {
    throw /^\d{1,2}$/.test(typed)
      ? bareHour(typed)
      : unreadable(text, "Which time?", HOW_TO_TYPE_TIME, " as a time");
  }
  const hour = Number(hours);
  const minute = Number(minutes);
  if (minute > 59 || hour > (half === undefined ? 23 : 12) || (half !== undefined && hour === 0)) {
    throw noSuchTime(typed, hour, minute);
  }
  return {
    hour: half === undefined ? hour : (hour % 12) + (half === "p" ? 12 : 0),
    minute,
    ukClock: ukClock === "bst" || ukClock === "gmt" ? ukClock : undefined,
  };
}

function bareHour(typed: string): UserError {
  const hour = Number(typed);
  if (hour > 24) {
    return noSuchTime(typed, hour, 0);
  }
  const half = hour >= 1 && hour <= 12 ? ` or ${hour}pm` : "";
  return new UserError(`What time is “${typed}”? Type ${formatTime({ hour: hour % 24, minute: 0 })}${half}.`);
}

function noSuchTime(typed: string, hour: number, minute: number): UserError {
  return hour === 24 && minute === 0
    ? new UserError("The day ends at 23:59. For midnight, type 00:00 and the next day's date.")
    : new UserError(`${typed} isn't a time. ${HOW_TO_TYPE_TIME}`);
}
