import { UserError } from "../core/errors.ts";
import { formatTime, plainMoment, unreadable } from "./words.ts";

export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
  /** Which UK clock the person named; needed for the hour that UK clocks show twice. */
  readonly ukClock: "bst" | "gmt" | undefined;
}

const HOW = "Try 17:31, 1731 or 5pm.";

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
    throw /^\d{1,2}$/.test(typed) ? bareHour(typed) : unreadable(text, "Which time?", HOW, " as a time");
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
    : new UserError(`${typed} isn't a time. ${HOW}`);
}
