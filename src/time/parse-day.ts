import { UserError } from "../core/errors.ts";
import { monthName, plainMoment, parseMonth, parseSpan, parseWeekday, unreadable } from "./words.ts";

/** A day, and how the text named it. A weekday, or a date without a year, could also mean another day. */
export interface Day {
  readonly date: Temporal.PlainDate;
  readonly named: "relative" | "weekday" | "date";
}

const HOW = "Try tomorrow, next Tuesday, in 3 days, 25 Dec or 2026-12-25.";

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
    throw unreadable(text, "Which day?", HOW, " as a date");
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
        ? `There's no month ${month}: the day comes before the month, e.g. 25/12/2026. ${HOW}`
        : `There's no ${written}. ${HOW}`,
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
