// Finds time zones by what people call them: an IANA name, a city, or a few words of ours.
import { UK_TIME_ZONE } from "../../core/uk-time.ts";
import { plainZoneName, zoneIndex, type ZoneEntry } from "./zone-index.ts";
import { zoneNamed } from "./zones.ts";

/** The zones that are called so: none, one, or several where the name is not whole or is that of a region. */
export function zonesCalled(text: string): readonly string[] {
  const typed = plainZoneName(text);
  const word = WORDS.get(typed);
  if (word !== undefined) {
    return [word];
  }
  if (typed === "" || isAbbreviation(text)) {
    return [];
  }
  const named = text.includes("/") ? zoneNamed(text.trim().replaceAll(" ", "_")) : undefined;
  if (named !== undefined) {
    return [named];
  }
  const cities = zonesWith(({ names }) => names.includes(typed));
  if (cities.length > 0) {
    return cities;
  }
  // The IANA list has some countries too, e.g. "Japan".
  const country = zoneNamed(text.trim());
  return country === undefined ? zonesWith((entry) => isPartOf(typed, entry)) : [country];
}

/** Whether it is an abbreviation: fixed to one of two clocks, and the same in different countries. */
export function isAbbreviation(text: string): boolean {
  return ABBREVIATION.test(text.trim());
}

const ABBREVIATION =
  /^(?:gmt|bst|ist|wes?t|mes?t|ees?t|msk|[cemp][ds]?t(?:\d[cemp]dt)?|cest|hst|ak[ds]t|a[cew]?[ds]t|nz[ds]t|[jk]st)$/i;

/** Fewer letters are the beginning of too much. */
const SHORTEST_BEGINNING = 3;

function isPartOf(typed: string, { names, regions }: ZoneEntry): boolean {
  const isBeginning = typed.length >= SHORTEST_BEGINNING && names.some((name) => name.startsWith(typed));
  return isBeginning || regions.includes(typed);
}

function zonesWith(condition: (entry: ZoneEntry) => boolean): readonly string[] {
  return zoneIndex()
    .filter(condition)
    .map(({ zone }) => zone);
}

/** What people here say. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["uk", UK_TIME_ZONE],
  ["gb", UK_TIME_ZONE],
  ["unitedkingdom", UK_TIME_ZONE],
  ["british", UK_TIME_ZONE],
  ["britain", UK_TIME_ZONE],
  ["greatbritain", UK_TIME_ZONE],
  ["england", UK_TIME_ZONE],
  ["scotland", UK_TIME_ZONE],
  ["wales", UK_TIME_ZONE],
  ["northernireland", UK_TIME_ZONE],
  ["ireland", "Europe/Dublin"],
  ["irish", "Europe/Dublin"],
  ["utc", "UTC"],
]);
