import stationList from "uk-railway-stations" with { type: "json" };
import { MAX_MISTAKES, letterMask, normaliseWords } from "../core/search-text.ts";
import type { LondonStop } from "../sources/tfl/london-stops.ts";
import type { RailStation, Station } from "./stations.ts";

/** The number of first letters that are checked: only names whose beginning has nearly all of them are compared. */
export const HEAD = 6;

/** `part` is the name from a later word on. */
type KeyKind = "name" | "alias" | "part";

/** A text without spaces that finds a station. */
export interface StationKey {
  readonly text: string;
  readonly kind: KeyKind;
  readonly mask: number;
  readonly headMask: number;
}

export interface StationEntry<S extends Station = Station> {
  readonly station: S;
  readonly keys: readonly StationKey[];
  readonly words: readonly string[];
  readonly mask: number;
  /** Rank among the well-known stations, from 0; `undefined` for all others. */
  readonly rank: number | undefined;
}

/** Reads the offline list (package uk-railway-stations, ODbL). It has about 2,600 entries and takes some 10 ms. */
export function createStationIndex(): readonly StationEntry<RailStation>[] {
  const ranks = new Map(WELL_KNOWN.map((crs, index) => [crs, index]));
  return stationList.map((listed) => {
    const station: RailStation = {
      crs: listed.crsCode,
      name: listed.stationName,
      latitude: listed.lat,
      longitude: listed.long,
    };
    return entryOf(station, station.name, ALIASES[station.crs] ?? [], ranks.get(station.crs));
  });
}

/** Names of the modes of London's stops. The first of each is added to the stop's name. */
const MODES: Readonly<Record<string, readonly string[]>> = {
  tube: ["Tube", "Underground"],
  dlr: ["DLR", "Docklands Light Railway"],
  "elizabeth-line": ["Elizabeth line", "Crossrail"],
  overground: ["Overground"],
  tram: ["Tram"],
  "river-bus": ["River", "Pier"],
  "cable-car": ["Cable car"],
};

/**
 * As {@link createStationIndex}, for London's stops. The modes are among the words, so that "victoria tube" matches,
 * but not in the keys, because each further key costs a comparison. `aliases` are the name with each name of its modes.
 */
export function createLondonIndex(
  stops: readonly LondonStop[],
): readonly (StationEntry & { readonly aliases: readonly string[] })[] {
  return stops.map(({ id, name, modes, lines }) => {
    const said = modes.flatMap((mode) => MODES[mode] ?? []);
    const stop = { name, modes: modes.flatMap((mode) => MODES[mode]?.slice(0, 1) ?? []).join(", ") };
    const station = { crs: id, name: stop.modes === "" ? name : `${name} (${stop.modes})`, stop, lines };
    const entry = entryOf(station, name, [], undefined);
    const words = [...entry.words, ...said.flatMap(normaliseWords)];
    const aliases = [station.name, ...said.map((word) => `${name} ${word}`)];
    return { ...entry, words, mask: letterMask(words.join("")), aliases };
  });
}

function entryOf<S extends Station>(
  station: S,
  name: string,
  aliases: readonly string[],
  rank: number | undefined,
): StationEntry<S> {
  const words = normaliseWords(name);
  const keys = new Map<string, KeyKind>();
  for (const alias of aliases) {
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
    keys: [...keys].map(([text, kind]) => ({
      text,
      kind,
      mask: letterMask(text),
      headMask: letterMask(text.slice(0, HEAD + MAX_MISTAKES)),
    })),
    words,
    mask: letterMask(words.join("")),
    rank,
  };
}

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

// Other names that people use for stations. Maintained by hand; upper and lower case do not matter.

/** Aliases by station code. No two stations share one, which a test checks. */
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

/** The most used stations, roughly in order of passengers. They win ties, and are suggested before any typing. */
export const WELL_KNOWN: readonly string[] = [
  "EUS KGX PAD MAN BHM LDS EDB GLC YRK WAT VIC LST LBG STP LIV BRI CDF NCL SHF NOT RDG BTN GLQ CLJ",
  "SRA CHX GTW MYB CBG OXF LEI SOU PBO DON CRE DBY COV WVH EXD PLY NRW IPS MCV FST CST BFR ECR ABD",
  "INV DEE PTH STG SWA NWP PRE LAN CAR DAR DHM HUL BDI CTR SHR BTH SWI SSD LTN BHI MIA HXX PMS PMH",
  "SOT STA NMP MKC WFJ GLD WOK SPT WGN SUN MBR HGT",
].flatMap((codes) => codes.split(" "));
