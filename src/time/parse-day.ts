// Reads a day as people type it.
import { Temporal } from "temporal-polyfill";
import { UserError } from "../core/errors.ts";
import { quoteText } from "../core/text.ts";

/** A day, and how it was named: a weekday or a date without a year can mean another one. */
export interface Day {
  readonly date: Temporal.PlainDate;
  readonly named: "relative" | "weekday" | "date";
}

const HOW = "Type it like today, tomorrow, Fri, 25 Dec or 2026-12-25.";

/** Texts longer than this are nothing that could be a date. */
const LONGEST = 40;

/**
 * Reads a day, counted from `today`; weekdays mean the next one, today's included, and a date without a year the
 * nearest. Throws a UserError for anything else.
 */
export function parseDay(text: string, today: Temporal.PlainDate): Day {
  const typed = text
    .slice(0, LONGEST + 1)
    .normalize("NFKC")
    .trim()
    .toLowerCase()
    .replace(/,/g, " ")
    .replace(/\s+/g, " ");
  if (typed.length > LONGEST) {
    throw nonsense(text);
  }
  const days = RELATIVE.get(typed);
  if (days !== undefined) {
    return { date: today.add({ days }), named: "relative" };
  }
  const weekday = startingWith(WEEKDAYS, typed.replace(/^(?:on|this) /, ""));
  if (weekday !== undefined) {
    return { date: today.add({ days: (weekday + 8 - today.dayOfWeek) % 7 }), named: "weekday" };
  }
  const parts = readNumbers(typed) ?? readMonthName(typed) ?? HOLIDAYS.get(typed.replaceAll("’", "'"));
  if (!parts) {
    throw nonsense(text);
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
]);
const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

interface Parts {
  readonly year: number | undefined;
  readonly month: number;
  readonly day: number;
}

/** The days on which trains are few or none, by the names that people ask with. */
const HOLIDAYS: ReadonlyMap<string, Parts> = new Map([
  ["christmas eve", { year: undefined, month: 12, day: 24 }],
  ["christmas day", { year: undefined, month: 12, day: 25 }],
  ["christmas", { year: undefined, month: 12, day: 25 }],
  ["boxing day", { year: undefined, month: 12, day: 26 }],
  ["new year's eve", { year: undefined, month: 12, day: 31 }],
  ["new year's day", { year: undefined, month: 1, day: 1 }],
]);

/** `2026-12-25`, `25/12/2026`, `25.12.26`, `25/12`: the day goes first, as in the UK, unless the year does. */
function readNumbers(typed: string): Parts | undefined {
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(typed) ?? [];
  if (isoYear !== undefined) {
    return { year: Number(isoYear), month: Number(isoMonth), day: Number(isoDay) };
  }
  const [, day, month, year] = /^(\d{1,2})[-/.](\d{1,2})(?:[-/.](\d{4}|\d{2}))?$/.exec(typed) ?? [];
  return day === undefined ? undefined : { year: fullYear(year), month: Number(month), day: Number(day) };
}

/** `25 Dec`, `25th December 2026`, `Fri 25 Dec`, `Dec 25`. */
function readMonthName(typed: string): Parts | undefined {
  const [first = "", ...others] = typed.split(" ");
  const rest = startingWith(WEEKDAYS, first) === undefined ? typed : others.join(" ");
  const [, dayBefore, monthAfter, yearAfter] = DAY_FIRST.exec(rest) ?? [];
  const [, monthBefore, dayAfter, yearLast] = MONTH_FIRST.exec(rest) ?? [];
  const month = startingWith(MONTHS, monthAfter ?? monthBefore ?? "");
  return month === undefined
    ? undefined
    : { year: fullYear(yearAfter ?? yearLast), month: month + 1, day: Number(dayBefore ?? dayAfter) };
}

const DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th)?(?: of)? ?([a-z]{3,9})\.?(?: (\d{4}|\d{2}))?$/;
const MONTH_FIRST = /^([a-z]{3,9})\.? ?(\d{1,2})(?:st|nd|rd|th)?(?: (\d{4}))?$/;

function dateOf({ year, month, day }: Parts, today: Temporal.PlainDate): Temporal.PlainDate {
  const candidates = (year === undefined ? [today.year, today.year + 1, today.year - 1] : [year]).flatMap(
    (candidate) => existing({ year: candidate, month, day }) ?? [],
  );
  const away = (date: Temporal.PlainDate): number => Math.abs(today.until(date).days);
  const [nearest] = candidates.toSorted((a, b) => away(a) - away(b));
  if (!nearest) {
    const written = [day, MONTHS[month - 1]?.replace(/^./, (first) => first.toUpperCase()), year]
      .filter((part) => part !== undefined)
      .join(" ");
    throw new UserError(
      MONTHS[month - 1] === undefined
        ? `There is no month ${month}: days go before months, e.g. 25/12/2026. ${HOW}`
        : `There is no ${written}. ${HOW}`,
    );
  }
  return nearest;
}

function existing(fields: { year: number; month: number; day: number }): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from(fields, { overflow: "reject" });
  } catch {
    return undefined;
  }
}

/** Which of the words this is, by at least its first three letters. */
function startingWith(words: readonly string[], typed: string): number | undefined {
  const at = typed.length < 3 ? -1 : words.findIndex((word) => word.startsWith(typed));
  return at === -1 ? undefined : at;
}

function fullYear(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text.length === 2 ? `20${text}` : text);
}

function nonsense(text: string): UserError {
  const quote = quoteText(text);
  return new UserError(quote === "" ? `Which day? ${HOW}` : `“${quote}” is no date I can read. ${HOW}`);
}
