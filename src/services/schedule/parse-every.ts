// Reads how often a board comes, as people type it.
import { UserError } from "../../core/errors.ts";
import { quoteText } from "../../core/quote-text.ts";
import { LONGEST_EVERY, SHORTEST_EVERY } from "./schedule-schema.ts";
import { plainText } from "./typed-text.ts";

const HOW = "Type it like 10 minutes or 1 hour.";

/** Reads e.g. `5`, `every 10 minutes`, `1h` or `half an hour`; gives minutes. Throws a UserError for anything else. */
export function parseEvery(text: string): number {
  const typed = plainText(text).replace(/^(?:once )?(?:every|each)(?: |$)/, "");
  const minutes = NAMED.get(typed.replace(/^(?:an?|one) /, "")) ?? readAmount(typed);
  if (minutes === undefined) {
    const quote = quoteText(text);
    throw new UserError(
      quote === "" ? `How often? ${HOW}` : `“${quote}” is no number of minutes or hours. ${HOW}`,
    );
  }
  if (minutes < SHORTEST_EVERY || !Number.isInteger(minutes)) {
    throw new UserError(`Train data changes once a minute, so choose whole minutes, 1 or more. ${HOW}`);
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
