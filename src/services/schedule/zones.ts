// Time zones: which there are, and by which names people call them.
import { Temporal } from "temporal-polyfill";

/** Whether this is the IANA name of a time zone. */
export function isZone(name: string): boolean {
  return zoneNamed(name) !== undefined;
}

/** The zone of an IANA name in any case, spelt as it should be; `undefined` if there is none. */
export function zoneNamed(name: string): string | undefined {
  // "+01:00" would be understood as well, but knows no summer time; "BST" is Bangladesh's to some libraries.
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

/** A zone's city or island, e.g. `New York`; other zones as they are, e.g. `UTC`. */
export function zoneCity(zone: string): string {
  return zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
}

/** Every zone that people choose from, one for each place, in the order of their names. */
export function allZones(): readonly string[] {
  const zones = Intl.supportedValuesOf("timeZone").map((zone) => NEW_NAMES.get(zone) ?? zone);
  return [...new Set(["UTC", ...zones])].toSorted();
}

/** Places that Intl still lists under the name that they had; the IANA list keeps both. */
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
