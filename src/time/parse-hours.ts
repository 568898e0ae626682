// Parses the hours and times at which a board is due, as people type them.
import { UserError } from "../core/errors.ts";
import { quoteText } from "../core/text.ts";
import { DAY_MINUTES, minuteOfDay } from "./wall-clock.ts";
import { type Hours, MAX_TIMES } from "./schedule.ts";
import { formatTime, plainText, unreadable } from "./words.ts";
import { parseTimeOfDay } from "./parse-time-of-day.ts";

const HOW = "Try 07:00-09:30 or 6am-10pm.";

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
    throw unreadable(text, "Between which hours?", HOW, " as hours");
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
