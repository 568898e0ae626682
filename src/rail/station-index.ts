// Everything about the stations that a search compares, worked out once.
import stationList from "uk-railway-stations" with { type: "json" };
import { letterMask, normaliseWords } from "../core/search-text.ts";
import type { Station } from "./stations.ts";

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

// What people call stations besides their names. Ours, by hand; spelled as typed, in any case.

/** Other names by code. Each alias belongs to one station; a test holds the list to that. */
export const ALIASES: Readonly<Record<string, readonly string[]>> = {
  BDI: ["Bradford"],
  BFR: ["Blackfriars"],
  BHI: ["Birmingham Airport", "NEC"],
  BHM: ["Birmingham", "Brum", "New Street"],
  BMO: ["Moor Street"],
  BPW: ["Parkway Bristol"],
  BRI: ["Bristol", "Temple Meads"],
  BSW: ["Snow Hill"],
  BTH: ["Bath"],
  CDF: ["Cardiff", "Caerdydd"],
  CHX: ["Charing Cross"],
  CLJ: ["Clapham", "Clapham Jn"],
  CST: ["Cannon Street"],
  DVP: ["Dover"],
  EDB: ["Edinburgh", "Edi", "Waverley", "Auld Reekie"],
  EUS: ["Euston"],
  EXD: ["Exeter", "St Davids"],
  FKC: ["Folkestone"],
  FST: ["Fenchurch Street"],
  GLC: ["Glasgow"],
  GLQ: ["Queen Street", "Glasgow Queen St"],
  GTW: ["Gatwick", "London Gatwick"],
  HXX: ["Heathrow", "Heathrow Airport", "Heathrow Central"],
  KGX: ["Kings Cross", "Kings X", "London KX"],
  LIV: ["Liverpool", "Lime Street"],
  LST: ["Liverpool Street", "Liv Street"],
  LTN: ["Luton Airport"],
  MAN: ["Manchester", "Manc", "Picc", "Piccadilly", "Man Picc"],
  MCO: ["Oxford Road"],
  MKC: ["Milton Keynes", "MK"],
  MYB: ["Marylebone"],
  NCL: ["Newcastle upon Tyne", "Newcastle Central", "The Toon"],
  NMP: ["Northampton Castle"],
  NWP: ["Newport", "Casnewydd"],
  PAD: ["Paddington", "Paddo"],
  PMS: ["Portsmouth"],
  SAV: ["Stratford on Avon"],
  SHF: ["Sheffield Midland", "Sheff"],
  SOU: ["Southampton"],
  SRA: ["Stratford", "Stratford East London"],
  SSD: ["Stansted", "London Stansted"],
  STP: ["St Pancras", "London St Pancras", "St P"],
  SWA: ["Abertawe"],
  VIC: ["Victoria"],
  WAT: ["Waterloo"],
  WFJ: ["Watford"],
  WGN: ["Wigan"],
};

// Which stations people most often mean. Ours, by hand, roughly by how many people use them.

/** Codes of large stations, the best known first. They win ties and are offered before anything is typed. */
export const WELL_KNOWN: readonly string[] = [
  "EUS KGX PAD MAN BHM LDS EDB GLC YRK WAT VIC LST LBG STP LIV BRI CDF NCL SHF NOT RDG BTN GLQ CLJ",
  "SRA CHX GTW MYB CBG OXF LEI SOU PBO DON CRE DBY COV WVH EXD PLY NRW IPS MCV FST CST BFR ECR ABD",
  "INV DEE PTH STG SWA NWP PRE LAN CAR DAR DHM HUL BDI CTR SHR BTH SWI SSD LTN BHI MIA HXX PMS PMH",
  "SOT STA NMP MKC WFJ GLD WOK SPT WGN SUN MBR HGT",
].flatMap((codes) => codes.split(" "));
