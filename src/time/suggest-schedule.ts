// Suggestions for schedules while a person types. The parsers accept all of them.
import { UserError } from "../core/errors.ts";
import { UK_TIME_ZONE } from "./uk-time.ts";
import { findZone, searchZones } from "./zones.ts";
import { formatMinutes, formatDays } from "./schedule.ts";
import { parseDays, parseEvery } from "./parse-schedule.ts";
import { EVERY_DAY } from "./words.ts";

/** e.g. `10 minutes`: first the typed one, then those that begin with the text; common ones for an empty text. */
export function suggestEvery(text: string): readonly string[] {
  const typed = text.trim();
  const common = [5, 10, 15, 20, 30, 60, 120, 1, 2].map(formatMinutes);
  const read = [typed, `${typed} hours`].flatMap((amount) =>
    tryRead(() => formatMinutes(parseEvery(amount))),
  );
  return [...new Set([...read, ...common.filter((amount) => amount.startsWith(typed.toLowerCase()))])];
}

/** Suggests days, e.g. `weekdays`: first the typed ones, then those that begin with the text, even after a comma. */
export function suggestDays(text: string): readonly string[] {
  const typed = text.trim();
  const single = EVERY_DAY.map((day) => formatDays([day]));
  const common = ["every day", "weekdays", "weekends", ...single];
  const [, before = ""] = /^(.*[\s,;&-])?[a-z]*$/i.exec(typed) ?? [];
  const begins = [...common, ...single.map((day) => before + day)].filter((days) =>
    days.toLowerCase().startsWith(typed.toLowerCase()),
  );
  const read = tryRead(() => formatDays(parseDays(typed)));
  const byMeaning = Map.groupBy([...read, ...begins], (days) => tryRead(() => parseDays(days).join()).at(0));
  byMeaning.delete(undefined);
  return [...byMeaning.values()].flatMap((same) => same.slice(0, 1));
}

/** Suggests the zones whose names contain the text, an exact match first; for an empty text, the most common ones. */
export function suggestZones(text: string): readonly string[] {
  return text.trim() === "" ? WELL_KNOWN : [...new Set([findZone(text) ?? [], searchZones(text)].flat())];
}

const WELL_KNOWN = [
  UK_TIME_ZONE,
  "Europe/Dublin",
  "Europe/Paris",
  "Europe/Berlin",
  "America/New_York",
  "America/Los_Angeles",
  "Asia/Tokyo",
  "Australia/Sydney",
  "UTC",
];

/**
 * Returns nothing if the text cannot be parsed yet, because the person may still be typing. Nothing is suggested then,
 * because Enter would replace the text with the suggestion.
 */
function tryRead<T>(read: () => T): readonly T[] {
  try {
    return [read()];
  } catch (error) {
    if (error instanceof UserError) {
      return [];
    }
    throw error;
  }
}
