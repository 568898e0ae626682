import { hash } from "../railway/chance.ts";
import { STATIONS, type RailStation } from "../railway/stations.ts";
import { localNetwork, type Stop, type StopType } from "./local-lines.ts";
import { metresBetween, type Position } from "./position.ts";
import { placeNameOf, postTownNear, townName } from "./postcodes.ts";

export type PlaceType = "train_station" | "settlement" | StopType;

/** Equal matches are listed in this order. */
export const PLACE_TYPES = [
  "train_station",
  "tube_station",
  "tram_stop",
  "ferry_terminal",
  "settlement",
  "bus_stop",
] as const satisfies readonly PlaceType[];

export interface Place extends Position {
  readonly type: PlaceType;
  readonly name: string;
  /** The text that a search matches, in lower case. */
  readonly searched: string;
  readonly station?: RailStation;
  readonly stop?: Stop;
}

export interface PlaceQuery {
  readonly text?: string | undefined;
  /** Empty: all types. */
  readonly types: readonly PlaceType[];
  /** Without `text`, only places within 13 km of this position are found. */
  readonly near?: Position | undefined;
}

/** Nearly every place has another one within this distance. */
const FAR_METRES = 13_000;

let all: readonly Place[] | undefined;

export function stationPlace(station: RailStation): Place {
  const { latitude, longitude, name } = station;
  return { type: "train_station", name, searched: searchable(name), latitude, longitude, station };
}

export function stopPlace(stop: Stop): Place {
  const { type, letter, latitude, longitude } = stop;
  const name = letter === undefined ? stop.name : `${stop.name} (stop ${letter})`;
  return { type, name, searched: searchable(`${name} ${stop.locality}`), latitude, longitude, stop };
}

/** All matching places: the nearest first if `near` is given, or else the best match first. */
export function searchPlaces({ text, types, near }: PlaceQuery): readonly Place[] {
  const wanted = text === undefined ? undefined : searchable(text);
  const found: { readonly place: Place; readonly rank: number; readonly order: number }[] = [];
  for (const place of allPlaces()) {
    if (types.length > 0 && !types.includes(place.type)) {
      continue;
    }
    const order = near ? metresBetween(place, near) : PLACE_TYPES.indexOf(place.type);
    const rank = wanted === undefined ? 0 : rankOf(place, wanted, text?.trim().toUpperCase());
    if (rank !== undefined && (wanted !== undefined || !near || order <= FAR_METRES)) {
      found.push({ place, rank: near ? 0 : rank, order });
    }
  }
  return found
    .toSorted((a, b) => a.rank - b.rank || a.order - b.order || a.place.name.length - b.place.name.length)
    .map(({ place }) => place);
}

/** Lower is better: codes, exact names, names that begin with the text (stations first), others. Bus stops get 3 more. */
function rankOf(place: Place, wanted: string, code: string | undefined): number | undefined {
  if (place.station?.crs === code || place.stop?.atcocode === code) {
    return 0;
  }
  const padded = ` ${place.searched}`;
  if (wanted === "" || !wanted.split(" ").every((word) => padded.includes(` ${word}`))) {
    return undefined;
  }
  const begins = place.searched.startsWith(wanted);
  const isExact = place.searched === wanted || place.searched === `london ${wanted}`;
  const rank = isExact ? 1 : begins && place.type === "train_station" ? 2 : begins ? 3 : 4;
  return rank + (place.type === "bus_stop" ? 3 : 0);
}

/** A place as an element of `member`, with exactly the fields of its type. */
export function formatPlace(place: Place): Readonly<Record<string, unknown>> {
  const { type, name, latitude, longitude, station, stop } = place;
  const base = { type, name, latitude, longitude };
  if (station) {
    return { ...base, accuracy: 100, station_code: station.crs, tiploc_code: null };
  }
  if (stop) {
    return { ...base, accuracy: 20, description: stop.locality, atcocode: stop.atcocode };
  }
  const town = postTownNear(place);
  return {
    ...base,
    accuracy: 359,
    osm_id: `node:${100_000_000 + (hash("osm", name, latitude) % 4_000_000_000)}`,
    description: `${townName(town)}, ${town.area}${town.districts[0]}`,
  };
}

/** Without capitals and punctuation, `kings cross` finds King's Cross St. Pancras. */
function searchable(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} ]/gu, (mark) => (mark === "-" || mark === "/" ? " " : ""))
    .replaceAll(/ +/g, " ")
    .trim();
}

function allPlaces(): readonly Place[] {
  all ??= [
    ...STATIONS.map(stationPlace),
    ...createSettlements(),
    ...[...localNetwork().stops.values()].map(stopPlace),
  ];
  return all;
}

/** A settlement around each station. Settlements of one name within the same half degree are one. */
function createSettlements(): readonly Place[] {
  const named = new Map<string, Place>();
  for (const { name: stationName, latitude, longitude } of STATIONS) {
    const name = placeNameOf(stationName);
    const key = `${name} ${Math.round(latitude * 2)} ${Math.round(longitude * 2)}`;
    const place = { type: "settlement", name, searched: searchable(name), latitude, longitude } as const;
    named.set(key, named.get(key) ?? place);
  }
  return [...named.values()];
}
