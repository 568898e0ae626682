// Reads the days of the week on which a board comes, as people type them.
import { UserError } from "../../core/errors.ts";
import { quoteText } from "../../core/quote-text.ts";
import type { Weekday } from "./schedule.ts";
import { plainText } from "./typed-text.ts";
import { EVERY_DAY, WEEKEND, WORKING_DAYS, daysFrom, weekdayName } from "./weekdays.ts";

const HOW = "Type them like weekdays, Mon-Fri, or Mon, Wed, Fri.";

/** Reads e.g. `weekdays`, `fri-mon` or `Mon, Wed & Fri`; gives days in order. Throws a UserError for anything else. */
export function parseDays(text: string): readonly Weekday[] {
  const typed = plainText(text).replace(/ ?(?:-|\b(?:to|till|until|through|thru)\b) ?/g, "-");
  const whole = namedDays(typed);
  if (whole) {
    return whole;
  }
  const parts = typed.split(/[\s,;&+/]+/).filter((part) => part !== "" && !FILLERS.has(part));
  if (parts.length === 0) {
    throw new UserError(`On which days? ${HOW}`);
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
    throw new UserError(`“${quoteText(part)}” is no day of the week. ${HOW}`);
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
