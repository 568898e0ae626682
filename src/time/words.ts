// The words and formats of dates and times, both as people type them and as the bot writes them.
import { UserError } from "../core/errors.ts";
import { plural, quoteText } from "../core/text.ts";
import type { Weekday } from "./schedule.ts";

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);

export const EVERY_DAY: readonly Weekday[] = [1, 2, 3, 4, 5, 6, 7];
export const WORKING_DAYS: readonly Weekday[] = [1, 2, 3, 4, 5];
export const WEEKEND: readonly Weekday[] = [6, 7];

/** The days from one to another, including both, if necessary over the end of the week. They are sorted from Monday on. */
export function daysFrom(first: Weekday, last: Weekday): readonly Weekday[] {
  return first <= last
    ? EVERY_DAY.filter((day) => first <= day && day <= last)
    : EVERY_DAY.filter((day) => first <= day || day <= last);
}

/** The name of a weekday, e.g. `Monday`, by its number in ISO 8601; empty for other numbers. */
export function weekdayName(day: number): string {
  return WEEKDAYS[day - 1] ?? "";
}

/** The name of a month, e.g. `January`, by its number from 1; empty for other numbers. */
export function monthName(month: number): string {
  return MONTHS[month - 1] ?? "";
}

/** Parses a weekday by at least its first two letters, in lower case, e.g. `mo`, `tues`, `weds`, `fridays`. */
export function parseWeekday(typed: string): Weekday | undefined {
  const name = typed.replace(/\.$/, "");
  const isCalled = (whole: string): boolean =>
    whole.startsWith(name) || name === `${whole}s` || name === `${whole.slice(0, 3)}s`;
  return name.length < 2 ? undefined : EVERY_DAY.find((day) => isCalled(weekdayName(day).toLowerCase()));
}

/** Parses a month by at least its first three letters, in lower case; returns its number from 1. */
export function parseMonth(typed: string): number | undefined {
  const at = typed.length < 3 ? -1 : MONTHS.findIndex((whole) => whole.toLowerCase().startsWith(typed));
  return at === -1 ? undefined : at + 1;
}

/** e.g. `07:30`. */
export function formatTime({ hour, minute }: { readonly hour: number; readonly minute: number }): string {
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

/** e.g. `Sun`. */
export function formatWeekday({ dayOfWeek }: { readonly dayOfWeek: number }): string {
  return weekdayName(dayOfWeek).slice(0, 3);
}

interface CalendarDay {
  readonly dayOfWeek: number;
  readonly day: number;
  readonly month: number;
}

/** e.g. `Sat 21 Nov`. */
export function formatDay(date: CalendarDay): string {
  return `${formatWeekday(date)} ${date.day} ${monthName(date.month).slice(0, 3)}`;
}

/** e.g. `Fri 25 Dec 2026`. */
export function formatDate(date: CalendarDay & { readonly year: number }): string {
  return `${formatDay(date)} ${date.year}`;
}

/** Formats a duration in its two largest units, e.g. `3 days 4 h`, `17 min`; `less than a minute` below one. */
export function formatDuration(durationMs: number): string {
  const minutes = Math.floor(durationMs / 60_000);
  const parts = [
    { count: Math.floor(minutes / 1_440), unit: minutes < 2_880 ? "day" : "days" },
    { count: Math.floor(minutes / 60) % 24, unit: "h" },
    { count: minutes % 60, unit: "min" },
  ];
  const first = parts.findIndex(({ count }) => count > 0);
  if (first === -1) {
    return "less than a minute";
  }
  return parts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ count, unit }) => `${count} ${unit}`)
    .join(" ");
}

/** Formats a duration in one unit, e.g. `12 minutes`, `5 hours`, `3 days`. */
export function formatRoughly(minutes: number): string {
  const hours = Math.round(minutes / 60);
  if (hours >= 48) {
    return `${Math.round(hours / 24)} days`;
  }
  return hours >= 2 ? `${hours} hours` : plural(minutes, "minute");
}

/** A timestamp that Discord shows relative to now, and keeps up to date for each reader. */
export function relativeTime(ms: number): string {
  return `<t:${Math.floor(ms / 1_000)}:R>`;
}

/** `question` if the text is blank, otherwise that it could not be read; then `how` to type it. */
export function unreadable(text: string, question: string, how: string, as = ""): UserError {
  const quote = quoteText(text);
  return new UserError(quote === "" ? `${question} ${how}` : `I couldn't read “${quote}”${as}. ${how}`);
}

export function nonBlank(text: string | undefined): string | undefined {
  return text?.trim() === "" ? undefined : text;
}

/** Even twenty-four times, each written in full, are shorter. */
const LONGEST = 400;
/** Even a day and a time, each written in full, are shorter. */
const LONGEST_MOMENT = 60;

/** Lower case, on one line, with plain spaces, digits and hyphens. Throws a UserError for more than 400 characters. */
export function plainText(text: string): string {
  if (text.length > LONGEST) {
    throw new UserError("That's more text than I can read. Keep it short, e.g. 07:30, 17:15.");
  }
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[‐-―−]/g, "-")
    .replace(/[\s\p{C}]+/gu, " ")
    .trim();
}

/** Normalises a day, a time or both, and removes commas. Empty if the text is too long to be one. */
export function plainMoment(text: string): string {
  return text.length > LONGEST_MOMENT ? "" : plainText(text.replaceAll(",", " "));
}

/** A span of time: whole calendar days, plus seconds. */
export interface Span {
  readonly days: number;
  readonly seconds: number;
}

const UNITS: readonly (readonly [RegExp, Span])[] = [
  [/^s(?:ec(?:ond)?s?)?$/, { days: 0, seconds: 1 }],
  [/^(?:m(?:in(?:ute)?s?)?|')$/, { days: 0, seconds: 60 }],
  [/^h(?:(?:ou)?rs?)?$/, { days: 0, seconds: 3_600 }],
  [/^d(?:ays?)?$/, { days: 1, seconds: 0 }],
  [/^w(?:ee)?ks?$/, { days: 7, seconds: 0 }],
];

const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:an? |one )?quarter (?:of an )?hour\b/g, "15 min"],
  [/\b(?:an? |one )?half(?: an|-an)?[ -]hour\b/g, "30 min"],
  [/^(?:hourly|hour)$/, "1 hour"],
  [/^(?=(?:minute|day)$)/, "1 "],
  [/\ban? (?=[a-z])/g, "1 "],
];

const NUMBERS: ReadonlyMap<string, number> = new Map(
  Object.entries({ one: 1, two: 2, three: 3, five: 5, ten: 10, fifteen: 15, twenty: 20, thirty: 30 }),
);

const PART = String.raw`(\d+(?:[.,]\d+)?) ?([a-z]+|')`;
const PARTS = new RegExp(String.raw`^(?:${PART}(?:,? ?(?:and )?))*(?:(\d+(?:[.,]\d+)?)$)?$`);

/**
 * Parses plain text such as `10 minutes`, `1h 30`, `an hour and 5 minutes`, `half an hour`, `3 days`. A number without
 * a unit means minutes if it stands alone or follows hours. `undefined` for anything else.
 */
export function parseSpan(typed: string): Span | undefined {
  const inDigits = PHRASES.reduce((text, [words, digits]) => text.replace(words, digits), typed);
  const text = inDigits.replace(/\b[a-z]+\b/g, (word) => String(NUMBERS.get(word) ?? word));
  if (text === "" || !PARTS.test(text)) {
    return undefined;
  }
  let days = 0;
  let seconds = 0;
  let last = "";
  for (const [, amount = "", unit = ""] of text.matchAll(/(\d+(?:[.,]\d+)?) ?([a-z]+|')?/g)) {
    const isMinutes = unit === "" && (last === "" || last.startsWith("h"));
    const [, each] = UNITS.find(([name]) => name.test(isMinutes ? "min" : unit)) ?? [];
    if (each === undefined) {
      return undefined;
    }
    days += Number(amount.replace(",", ".")) * each.days;
    seconds += Math.round(Number(amount.replace(",", ".")) * each.seconds);
    last = unit;
  }
  return Number.isInteger(days) ? { days, seconds } : undefined;
}
