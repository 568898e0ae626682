// Parses the days of the week and the interval of a board, as people type them.
import { UserError } from "../core/errors.ts";
import { LONGEST_EVERY, SHORTEST_EVERY, type Weekday } from "./schedule.ts";
import {
  EVERY_DAY,
  WEEKEND,
  WORKING_DAYS,
  daysFrom,
  plainText,
  parseSpan,
  parseWeekday,
  unreadable,
} from "./words.ts";

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
