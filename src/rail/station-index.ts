// Everything about the stations that a search compares, worked out once.
import stationList from "uk-railway-stations" with { type: "json" };
import { letterMask, normaliseWords } from "../core/search-text.ts";
import type { Station } from "./stations.ts";
import { ALIASES, WELL_KNOWN } from "./station-aliases.ts";

/** `part`: the name from a later word on. */
type KeyKind = "name" | "alias" | "part";

/** A text without spaces under which a station is found. */
export interface StationKey {
  readonly text: string;
  readonly kind: KeyKind;
  readonly mask: number;
}

export interface StationEntry {
  readonly station: Station;
  readonly keys: readonly StationKey[];
  readonly words: readonly string[];
  readonly mask: number;
  /** Place among the well-known ones from 0; `undefined` for the others. */
  readonly rank: number | undefined;
}

/** Reads the offline list (package uk-railway-stations, ODbL). About 2,600 entries, some 10 ms. */
export function createStationIndex(): readonly StationEntry[] {
  const ranks = new Map(WELL_KNOWN.map((crs, index) => [crs, index]));
  return stationList.map((listed) => {
    const station: Station = {
      crs: listed.crsCode,
      name: listed.stationName,
      latitude: listed.lat,
      longitude: listed.long,
    };
    const words = normaliseWords(station.name);
    const keys = new Map<string, KeyKind>();
    for (const alias of ALIASES[station.crs] ?? []) {
      keys.set(normaliseWords(alias).join(""), "alias");
    }
    for (const variant of spellings(words)) {
      keys.set(variant.join(""), "name");
      for (let start = 1; start < variant.length; start += 1) {
        const part = variant.slice(start).join("");
        keys.set(part, keys.get(part) ?? "part");
      }
    }
    return {
      station,
      keys: [...keys].map(([text, kind]) => ({ text, kind, mask: letterMask(text) })),
      words,
      mask: letterMask(words.join("")),
      rank: ranks.get(station.crs),
    };
  });
}

/** The ways one name may be written: "st" in full, "and" left out. */
function spellings(words: readonly string[]): readonly (readonly string[])[] {
  const variants = [words];
  if (words.includes("st")) {
    variants.push(words.map((word) => (word === "st" ? "saint" : word)));
  }
  if (words.includes("and")) {
    variants.push(words.filter((word) => word !== "and"));
  }
  return variants;
}
