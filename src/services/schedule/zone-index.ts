// The names of time zones in plain form, worked out once: they are searched at each keystroke.
import { normaliseWords } from "../stations/normalise.ts";
import { allZones, zoneCity } from "./zones.ts";

/** A zone and what it is found by, all in plain form. */
export interface ZoneEntry {
  /** IANA name. */
  readonly zone: string;
  /** Its city, and the whole, e.g. `newyork` and `americanewyork`. */
  readonly names: readonly string[];
  /** The city from each of its words on, and the whole, e.g. `newyork`, `york` and `americanewyork`. */
  readonly beginnings: readonly string[];
  /** What comes before the city, e.g. `america`. */
  readonly regions: readonly string[];
}

/** Every zone that people choose from, in the order of their names. */
export function zoneIndex(): readonly ZoneEntry[] {
  index ??= allZones().map(entryOf);
  return index;
}

let index: readonly ZoneEntry[] | undefined;

/** What a zone is called, without spaces, case and the word "time". Only the first 60 characters count. */
export function plainZoneName(text: string): string {
  return normaliseWords(text)
    .join(" ")
    .replace(/ time(?: ?zone)?$/, "")
    .replaceAll(" ", "");
}

function entryOf(zone: string): ZoneEntry {
  const words = zoneCity(zone).split(/[ -]/);
  const whole = plainZoneName(zone);
  return {
    zone,
    names: [plainZoneName(zoneCity(zone)), whole],
    beginnings: [...words.map((_, from) => plainZoneName(words.slice(from).join(" "))), whole],
    regions: zone.split("/").slice(0, -1).map(plainZoneName),
  };
}
