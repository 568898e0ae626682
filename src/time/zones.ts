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

/** Finds a zone by its IANA name, its city, or a name of the UK or Ireland. */
export function findZone(text: string): string | undefined {
  const typed = plainZoneName(text);
  const [, own] = COUNTRIES.find(([names]) => names.test(typed)) ?? [];
  const found = own ?? allZones().find((zone) => plainZoneName(zoneCity(zone)) === typed);
  const named = zoneNamed(text.trim().replaceAll(" ", "_"));
  return found ?? (named !== undefined && !FIXED.test(named) ? named : undefined);
}

/** Fixed all year. People who type one usually mean the time of a place, where the clocks may change. */
const FIXED = /^(?:GMT(?:[+-]?0)?|[EMH]ST)$/;

/** The zones whose names contain the text, ignoring case, accents and spaces. */
export function searchZones(text: string): readonly string[] {
  const typed = plainZoneName(text);
  return typed === "" ? [] : allZones().filter((zone) => plainZoneName(zone).includes(typed));
}

/** In plain form. */
const COUNTRIES: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:uk|gb|unitedkingdom|(?:great)?britain|british|england|scotland|wales|northernireland)$/,
    UK_TIME_ZONE,
  ],
  [/^(?:ireland|irish)$/, "Europe/Dublin"],
];

/** Normalises a zone's name: without spaces, case and the word "time". Only the first 60 characters count. */
function plainZoneName(text: string): string {
  return normaliseWords(text)
    .join(" ")
    .replace(/ time(?: ?zone)?$/, "")
    .replaceAll(" ", "");
}
