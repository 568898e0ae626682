// Reads the days of the week on which a board comes, as people type them.
import { UserError } from "../core/errors.ts";
import { quoteText } from "../core/text.ts";
import { LONGEST_EVERY, SHORTEST_EVERY, type Weekday } from "./schedule.ts";
import { EVERY_DAY, WEEKEND, WORKING_DAYS, daysFrom, weekdayName } from "./wall-clock.ts";

const HOW_TO_TYPE_DAYS = "Type them like weekdays, Mon-Fri, or Mon, Wed, Fri.";

/** Reads e.g. `weekdays`, `fri-mon` or `Mon, Wed & Fri`; gives days in order. Throws a UserError for anything else. */
export function parseDays(text: string): readonly Weekday[] {
  const typed = plainText(text).replace(/ ?(?:-|\b(?:to|till|until|through|thru)\b) ?/g, "-");
  const whole = namedDays(typed);
  if (whole) {
    return whole;
  }
  const parts = typed.split(/[\s,;&+/]+/).filter((part) => part !== "" && !FILLERS.has(part));
  if (parts.length === 0) {
    throw new UserError(`On which days? ${HOW_TO_TYPE_DAYS}`);
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
  const from = readDay(first);
  const to = readDay(last);
  if (from === undefined || to === undefined || others.length > 0) {
    throw new UserError(`“${quoteText(part)}” is no day of the week. ${HOW_TO_TYPE_DAYS}`);
  }
  return daysFrom(from, to);
}

/** A day by at least its first two letters, e.g. `mo`, `tues`, `weds`, `fridays`. */
function readDay(typed: string): Weekday | undefined {
  const name = typed.replace(/\.$/, "");
  const matches = (whole: string) =>
    whole.startsWith(name) || name === `${whole}s` || name === `${whole.slice(0, 3)}s`;
  return name.length < 2 ? undefined : EVERY_DAY.find((day) => matches(weekdayName(day).toLowerCase()));
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

/** Twenty-four times, each written at length, are shorter. */
const LONGEST = 400;

/** Lower case, on one line, with plain spaces, digits and hyphens. Throws a UserError for more than 400 characters. */
export function plainText(text: string): string {
  if (text.length > LONGEST) {
    throw new UserError("That is more text than I can read. Keep it short, e.g. 07:30, 17:15.");
  }
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[‐-―−]/g, "-")
    .replace(/[\s\p{C}]+/gu, " ")
    .trim();
}

const HOW_TO_TYPE_EVERY = "Type it like 10 minutes or 1 hour.";

/** Reads e.g. `5`, `every 10 minutes`, `1h` or `half an hour`; gives minutes. Throws a UserError for anything else. */
export function parseEvery(text: string): number {
  const typed = plainText(text).replace(/^(?:once )?(?:every|each)(?: |$)/, "");
  const minutes = NAMED.get(typed.replace(/^(?:an?|one) /, "")) ?? readAmount(typed);
  if (minutes === undefined) {
    const quote = quoteText(text);
    throw new UserError(
      quote === ""
        ? `How often? ${HOW_TO_TYPE_EVERY}`
        : `“${quote}” is no number of minutes or hours. ${HOW_TO_TYPE_EVERY}`,
    );
  }
  if (minutes < SHORTEST_EVERY || !Number.isInteger(minutes)) {
    throw new UserError(
      `Train data changes once a minute, so choose whole minutes, 1 or more. ${HOW_TO_TYPE_EVERY}`,
    );
  }
  if (minutes > LONGEST_EVERY) {
    throw new UserError(
      "A board comes at least every 24 hours. To have it on some days only, choose the days, and one time with `at`.",
    );
  }
  return minutes;
}

const NAMED: ReadonlyMap<string, number> = new Map([
  ["minute", 1],
  ["quarter of an hour", 15],
  ["quarter hour", 15],
  ["half an hour", 30],
  ["half hour", 30],
  ["half-hour", 30],
  ["hour", 60],
  ["hourly", 60],
  ["day", LONGEST_EVERY],
]);

const NUMBER_WORDS: ReadonlyMap<string, string> = new Map([
  ["two", "2"],
  ["three", "3"],
  ["five", "5"],
  ["ten", "10"],
  ["fifteen", "15"],
  ["twenty", "20"],
  ["thirty", "30"],
]);

/** `10`, `10 min`, `1.5 hours`, `1h 30`, `90 seconds`; in minutes. */
function readAmount(typed: string): number | undefined {
  const inDigits = typed.replace(/^[a-z]+/, (word) => NUMBER_WORDS.get(word) ?? word);
  const [, seconds] = /^(\d+(?:\.\d+)?) ?(?:s|secs?|seconds?)$/.exec(inDigits) ?? [];
  if (seconds !== undefined) {
    return Number(seconds) / 60;
  }
  const [, minutes] = /^(\d+(?:[.,]\d+)?) ?(?:m|mins?|minutes?|')?$/.exec(inDigits) ?? [];
  if (minutes !== undefined) {
    return Number(minutes.replace(",", "."));
  }
  const [, hours, rest] =
    /^(\d+(?:[.,]\d+)?) ?(?:h|hrs?|hours?)(?:,? ?(?:and )?(\d+) ?(?:m|mins?|minutes?)?)?$/.exec(inDigits) ??
    [];
  return hours === undefined ? undefined : Number(hours.replace(",", ".")) * 60 + Number(rest ?? 0);
}
