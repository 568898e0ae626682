// Reads the times of the day at which a board comes, as people type them.
import { UserError } from "../../core/errors.ts";
import { quoteText } from "../../core/quote-text.ts";
import { parseTimeOfDay } from "../when/parse-time-of-day.ts";
import { formatTime } from "./hours.ts";
import { MOST_TIMES } from "./schedule-schema.ts";
import { plainText } from "./typed-text.ts";

/** Reads e.g. `7:30, 17:15` or `07.30 and 5pm`; gives "HH:MM", in order, each once. Throws a UserError for anything else. */
export function parseTimes(text: string): readonly string[] {
  const typed = plainText(text)
    .replace(/^(?:daily )?at /, "")
    .replace(/(?<=\d) (?=[ap]\.?m\b)/g, "")
    .split(/[\s,;&+]+|\band\b/)
    .filter((part) => part !== "");
  if (typed.length === 0) {
    throw new UserError("At which times? Type them like 07:30, 17:15.");
  }
  const times = [...new Set(typed.map(parseWallTime))].toSorted();
  if (times.length > MOST_TIMES) {
    throw new UserError(
      `A board comes at up to ${MOST_TIMES} times a day. Leave some out, or use \`every\` for an even row of times.`,
    );
  }
  return times;
}

/** Reads one time, on the wall of whatever zone; gives "HH:MM". Throws a UserError for anything else. */
export function parseWallTime(typed: string): string {
  if (/^24(?:[:.]?00)?$/.test(typed)) {
    throw new UserError(
      "The day ends at 23:59. For midnight type 00:00: it belongs to the day that begins then.",
    );
  }
  const time = parseTimeOfDay(typed);
  if (time === "now" || time.side !== undefined) {
    throw new UserError(
      `“${quoteText(typed)}” is not what a clock on the wall shows each day. Type times like 07:30.`,
    );
  }
  return formatTime(time.hour, time.minute);
}
