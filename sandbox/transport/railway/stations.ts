// The stations of Great Britain, from the offline list that the bot uses too.
import list from "uk-railway-stations" with { type: "json" };

export interface RailStation {
  /** e.g. `YRK`. */
  readonly crs: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
}

export const STATIONS: readonly RailStation[] = list.map((entry) => ({
  crs: entry.crsCode,
  name: entry.stationName,
  latitude: entry.lat,
  longitude: entry.long,
}));

const byCrs = new Map(STATIONS.map((station) => [station.crs, station]));
const byName = new Map(STATIONS.map((station) => [station.name, station]));

/** `crs` is in upper case. */
export function stationByCrs(crs: string): RailStation | undefined {
  return byCrs.get(crs);
}

/** Throws if there is none: then a name in our data is wrong. */
export function stationByName(name: string): RailStation {
  const station = byName.get(name);
  if (!station) {
    throw new Error(`The station list has no ${name}`);
  }
  return station;
}
