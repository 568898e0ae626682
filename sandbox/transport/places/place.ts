// What can be found on the map: stations, stops, piers and settlements, in one shape to search and in another to answer.
import { areaNear } from "../geography/areas.ts";
import { postcodeNear } from "../geography/postcodes.ts";
import type { Position } from "../geography/position.ts";
import { gradual, type Steps } from "../gradual.ts";
import { network } from "../local/local-network.ts";
import { formatStopName } from "../local/stop.ts";
import type { Stop, StopType } from "../local/stop.ts";
import { placeNameOf } from "../local/stop-names.ts";
import { hash } from "../railway/chance.ts";
import { STATIONS } from "../railway/stations.ts";
import type { RailStation } from "../railway/stations.ts";

/** The service's words, and `ferry_terminal`, for which it documents none. */
export type PlaceType = "train_station" | "settlement" | StopType;

/** The order is that in which equal matches are listed. */
export const PLACE_TYPES: readonly PlaceType[] = [
  "train_station",
  "tube_station",
  "tram_stop",
  "ferry_terminal",
  "settlement",
  "bus_stop",
];

export interface Place extends Position {
  readonly type: PlaceType;
  /** As answers carry it. */
  readonly name: string;
  /** What a search looks into, in lower case. */
  readonly searched: string;
  /** Whose place it is. */
  readonly station?: RailStation;
  readonly stop?: Stop;
}

/** Every place there is; made at first use. */
export const places = gradual(createPlaces);

function* createPlaces(): Steps<readonly Place[]> {
  const { stops } = yield* network.steps();
  const all = [...STATIONS.map(stationPlace), ...createSettlements()];
  for (const stop of stops.values()) {
    all.push(stopPlace(stop));
    yield;
  }
  return all;
}

/** The place of a station. */
export function stationPlace(station: RailStation): Place {
  const { latitude, longitude, name } = station;
  return { type: "train_station", name, searched: searchable(name), latitude, longitude, station };
}

/** The place of a stop. */
export function stopPlace(stop: Stop): Place {
  const { type, latitude, longitude } = stop;
  const name = formatStopName(stop);
  const searched = `${searchableOnce(name)} ${searchableOnce(stop.locality)}`;
  return { type, name, searched, latitude, longitude, stop };
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
  const area = areaNear(place);
  return {
    ...base,
    accuracy: hash(name) % 2 === 0 ? 718 : 359,
    osm_id: `node:${100_000_000 + (hash("osm", name, latitude) % 4_000_000_000)}`,
    description: [...new Set([area.town, area.region])]
      .filter((each) => each !== name)
      .join(", ")
      .concat(`, ${postcodeNear(place)}`),
  };
}

/** Lower case without punctuation, so that `kings cross` finds King's Cross St. Pancras. */
export function searchable(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} ]/gu, (mark) => (mark === "-" || mark === "/" ? " " : ""))
    .replaceAll(/ +/g, " ")
    .trim();
}

/** Thousands of stops share a few hundred names. */
const searchableTexts = new Map<string, string>();

function searchableOnce(text: string): string {
  const known = searchableTexts.get(text) ?? searchable(text);
  searchableTexts.set(text, known);
  return known;
}

/** A settlement around each station that is called after one, once. */
function createSettlements(): readonly Place[] {
  const seen = new Set<string>();
  return STATIONS.flatMap((station) => {
    const name = placeNameOf(station.name);
    // Of places of one name, one in each part of the country.
    const key = `${name}${Math.round(station.latitude * 2)}${Math.round(station.longitude * 2)}`;
    if (seen.has(key)) {
      return [];
    }
    seen.add(key);
    const { latitude, longitude } = station;
    return [{ type: "settlement", name, searched: searchable(name), latitude, longitude } as const];
  });
}
