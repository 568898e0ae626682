// What a schedule can be, offered while a person types. The parsers read all of it.
import { UserError } from "../core/errors.ts";
import { UK_TIME_ZONE } from "./uk-time.ts";
import { typingDistance } from "../core/search-text.ts";
import { type ZoneEntry, plainZoneName, zoneIndex, findZones } from "./zones.ts";
import { formatMinutes, formatDays } from "./schedule.ts";
import { parseDays, parseEvery } from "./parse-days.ts";
import { EVERY_DAY } from "./words.ts";

/** How often a board can come, e.g. `10 minutes`: what was typed, then what begins so; for nothing typed, usual ones. */
export function suggestEvery(text: string, limit?: number): readonly string[] {
  const typed = text.trim();
  const usual = [5, 10, 15, 20, 30, 60, 120, 1, 2].map(formatMinutes);
  const read = [typed, `${typed} hours`].flatMap((said) => tryRead(() => formatMinutes(parseEvery(said))));
  return withoutRepeats(
    [...read, ...usual.filter((amount) => amount.startsWith(typed.toLowerCase()))],
    limit,
  );
}

/** On which days it can come, e.g. `weekdays`: what was typed, then what begins so, also after a comma. */
export function suggestDays(text: string, limit?: number): readonly string[] {
  const typed = text.trim();
  const single = EVERY_DAY.map((day) => formatDays([day]));
  const usual = ["every day", "weekdays", "weekends", ...single];
  const [, before = ""] = /^(.*[\s,;&-])?[a-z]*$/i.exec(typed) ?? [];
  const begins = [...usual, ...single.map((day) => before + day)].filter((days) =>
    days.toLowerCase().startsWith(typed.toLowerCase()),
  );
  const read = tryRead(() => formatDays(parseDays(typed)));
  const byMeaning = new Map<string, string>();
  for (const days of [...read, ...begins]) {
    const meaning = tryRead(() => parseDays(days).join());
    meaning.filter((key) => !byMeaning.has(key)).forEach((key) => byMeaning.set(key, days));
  }
  return withoutRepeats([...byMeaning.values()], limit);
}

/** The zones that a person may mean, best first; for nothing typed, some that many people need. */
export function suggestZones(text: string, limit?: number): readonly string[] {
  const typed = plainZoneName(text);
  if (typed === "") {
    return WELL_KNOWN.slice(0, limit);
  }
  const begins = zoneIndex().filter(({ beginnings }) => beginnings.some((name) => name.startsWith(typed)));
  const found = [...begins, ...nearestZones(typed)].map(({ zone }) => zone);
  return withoutRepeats([...findZones(text), ...found], limit);
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

/** At least two thirds of what was typed has to be right, or the likeness is chance. */
function nearestZones(typed: string): readonly ZoneEntry[] {
  const limit = Math.floor(typed.length / 3);
  return zoneIndex()
    .map((entry) => ({
      entry,
      off: Math.min(...entry.names.map((name) => typingDistance(typed, name, limit).whole)),
    }))
    .filter(({ off }) => off < Infinity)
    .toSorted((a, b) => a.off - b.off)
    .map(({ entry }) => entry);
}

/** Each once. Nothing is offered for what cannot be read: Enter would put it in place of what was typed. */
function withoutRepeats(found: readonly string[], limit?: number): readonly string[] {
  return [...new Set(found)].slice(0, limit);
}

/** What somebody typed so far need not be readable yet. */
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
