// What can be found on the map: stations, stops, piers and settlements.
import { hash } from "../railway/chance.ts";
import { STATIONS, type RailStation } from "../railway/stations.ts";
import { localNetwork, type Stop, type StopType } from "./local-lines.ts";
import { metresBetween, type Position } from "./position.ts";
import { placeNameOf, postTownNear, townName } from "./postcodes.ts";

/** The service's words, and `ferry_terminal`, for which it documents none. */
export type PlaceType = "train_station" | "settlement" | StopType;

/** The order is that in which equal matches are listed. */
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
  /** As answers carry it. */
  readonly name: string;
  /** What a search looks into, in lower case. */
  readonly searched: string;
  readonly station?: RailStation;
  readonly stop?: Stop;
}

export interface PlaceQuery {
  readonly text?: string | undefined;
  /** Empty: all. */
  readonly types: readonly PlaceType[];
  /** Without a text, only what is within 13 km of it is found. */
  readonly near?: Position | undefined;
}

/** Few places have nothing within this. */
const FAR_METRES = 13_000;

let all: readonly Place[] | undefined;

/** The place of a station. */
export function stationPlace(station: RailStation): Place {
  const { latitude, longitude, name } = station;
  return { type: "train_station", name, searched: searchable(name), latitude, longitude, station };
}

/** The place of a stop. */
export function stopPlace(stop: Stop): Place {
  const { type, letter, latitude, longitude } = stop;
  const name = letter === undefined ? stop.name : `${stop.name} (stop ${letter})`;
  return { type, name, searched: searchable(`${name} ${stop.locality}`), latitude, longitude, stop };
}

/** All that meet the query: the nearest first where a point is given, else the best match. */
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

/** Exact codes and names before beginnings, beginnings before words inside; stations before what is called after them. */
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

/** A place as an element of `member`; the fields that its type has and no others. */
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

/** Lower case without punctuation, so that `kings cross` finds King's Cross St. Pancras. */
function searchable(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} ]/gu, (mark) => (mark === "-" || mark === "/" ? " " : ""))
    .replaceAll(/ +/g, " ")
    .trim();
}

/** Every place there is; made at first use. */
function allPlaces(): readonly Place[] {
  all ??= [
    ...STATIONS.map(stationPlace),
    ...createSettlements(),
    ...[...localNetwork().stops.values()].map(stopPlace),
  ];
  return all;
}

/** A settlement around each station that is called after one: of places of one name, one in each part of the country. */
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
