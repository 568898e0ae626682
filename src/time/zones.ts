// The list of time zones, and the names that people use for them.
import { UK_TIME_ZONE } from "./uk-time.ts";
import { normaliseWords } from "../core/search-text.ts";

/** Whether this is the IANA name of a time zone. */
export function isZone(name: string): boolean {
  return zoneNamed(name) !== undefined;
}

/** Returns the correctly spelt zone for an IANA name in any case; `undefined` if there is none. */
function zoneNamed(name: string): string | undefined {
  // Temporal would also accept "+01:00", which has no summer time. "BST" means Bangladesh's time to some libraries.
  if (!/^[a-z]/i.test(name) || name.toUpperCase() === "BST") {
    return undefined;
  }
  try {
    const { timeZoneId } = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return NEW_NAMES.get(timeZoneId) ?? timeZoneId;
  } catch {
    return undefined;
  }
}

/** A zone's city or island, e.g. `New York`; other zones unchanged, e.g. `UTC`. */
export function zoneCity(zone: string): string {
  return zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
}

/** Every zone that people choose from, one for each place, sorted by name. */
export function allZones(): readonly string[] {
  const zones = Intl.supportedValuesOf("timeZone").map((zone) => NEW_NAMES.get(zone) ?? zone);
  return [...new Set(["UTC", ...zones])].toSorted();
}

/** Places that Intl still lists under their previous names; the IANA list keeps both. */
const NEW_NAMES: ReadonlyMap<string, string> = new Map([
  ["Africa/Asmera", "Africa/Asmara"],
  ["America/Buenos_Aires", "America/Argentina/Buenos_Aires"],
  ["America/Catamarca", "America/Argentina/Catamarca"],
  ["America/Cordoba", "America/Argentina/Cordoba"],
  ["America/Godthab", "America/Nuuk"],
  ["America/Indianapolis", "America/Indiana/Indianapolis"],
  ["America/Jujuy", "America/Argentina/Jujuy"],
  ["America/Louisville", "America/Kentucky/Louisville"],
  ["America/Mendoza", "America/Argentina/Mendoza"],
  ["Asia/Calcutta", "Asia/Kolkata"],
  ["Asia/Katmandu", "Asia/Kathmandu"],
  ["Asia/Rangoon", "Asia/Yangon"],
  ["Asia/Saigon", "Asia/Ho_Chi_Minh"],
  ["Atlantic/Faeroe", "Atlantic/Faroe"],
  ["Europe/Kiev", "Europe/Kyiv"],
  ["Pacific/Enderbury", "Pacific/Kanton"],
  ["Pacific/Ponape", "Pacific/Pohnpei"],
  ["Pacific/Truk", "Pacific/Chuuk"],
  ["America/Coral_Harbour", "America/Atikokan"],
]);

// Finds time zones by the names that people use: an IANA name, a city, or one of a few words of ours.

/** Returns the zones that a name matches: none, one, or several if the name is incomplete or that of a region. */
export function findZones(text: string): readonly string[] {
  const typed = plainZoneName(text);
  const [, zone] = WORDS.find(([words]) => words.test(typed)) ?? [];
  if (zone !== undefined) {
    return [zone];
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
  // The IANA list contains some countries too, e.g. "Japan".
  const country = zoneNamed(text.trim());
  return country === undefined ? zonesWith((entry) => isPartOf(typed, entry)) : [country];
}

/** e.g. GMT, which fixes summer or winter time, and means different zones in different countries. */
export function isAbbreviation(text: string): boolean {
  return ABBREVIATION.test(text.trim());
}

const ABBREVIATION =
  /^(?:gmt|bst|ist|wes?t|mes?t|ees?t|msk|[cemp][ds]?t(?:\d[cemp]dt)?|cest|hst|ak[ds]t|a[cew]?[ds]t|nz[ds]t|[jk]st)$/i;

/** Fewer letters would match too many names. */
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

/** Words that people in the UK and Ireland use, in plain form. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:uk|gb|unitedkingdom|(?:great)?britain|british|england|scotland|wales|northernireland)$/,
    UK_TIME_ZONE,
  ],
  [/^(?:ireland|irish)$/, "Europe/Dublin"],
  [/^utc$/, "UTC"],
];

// The names of time zones in plain form, calculated once because they are searched at each keystroke.

export type ZoneEntry = ReturnType<typeof entryOf>;

let index: readonly ZoneEntry[] | undefined;

export function zoneIndex(): readonly ZoneEntry[] {
  return (index ??= allZones().map(entryOf));
}

/** Normalises a zone's name: without spaces, case and the word "time". Only the first 60 characters count. */
export function plainZoneName(text: string): string {
  return normaliseWords(text)
    .join(" ")
    .replace(/ time(?: ?zone)?$/, "")
    .replaceAll(" ", "");
}

/** A zone and its search terms, all in plain form. */
function entryOf(zone: string) {
  const words = zoneCity(zone).split(/[ -]/);
  const whole = plainZoneName(zone);
  return {
    zone,
    /** Its city and its full name, e.g. `newyork` and `americanewyork`. */
    names: [plainZoneName(zoneCity(zone)), whole],
    /** The city from each of its words on, and the full name, e.g. `newyork`, `york` and `americanewyork`. */
    beginnings: [...words.map((_, from) => plainZoneName(words.slice(from).join(" "))), whole],
    /** The parts before the city, e.g. `america`. */
    regions: zone.split("/").slice(0, -1).map(plainZoneName),
  };
}
