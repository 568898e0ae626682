// Reads an end of a journey in the service's notation.
import { isInGreatBritain } from "../geography/position.ts";
import type { Position } from "../geography/position.ts";
import { locatePostcode } from "../geography/postcodes.ts";
import { localNetwork } from "../local/local-network.ts";
import { searchable } from "../places/place.ts";
import { STATIONS, stationByCrs } from "../railway/stations.ts";
import type { Waypoint } from "./leg.ts";
import { stationWaypoint } from "./legs-of-steps.ts";
import { stopWaypoint } from "./local-path.ts";

/** What an end that is no place is called. */
export type EndName = "Journey Origin" | "Journey Destination";

/**
 * `crs:YRK`, `lonlat:-1.08,53.95`, `postcode:YO24+1AB`, `atcocode:…`, and what the service does not document: a bare
 * code or a station's whole name. Calls `refuse` with a sentence for what is none of these, or nowhere.
 */
export function parseWaypoint(text: string, endName: EndName, refuse: (sentence: string) => Error): Waypoint {
  const [, scheme = "", value = ""] = /^(?:([a-z]+):)?(.*)$/is.exec(text.trim()) ?? [];
  switch (scheme.toLowerCase()) {
    case "crs":
    case "stationcode": {
      const station = stationByCrs(value.toUpperCase());
      if (!station) {
        throw refuse(`No station has the code ${value}`);
      }
      return stationWaypoint(station);
    }
    case "lonlat":
      return point(parseLonLat(value, refuse), endName);
    case "postcode": {
      const position = locatePostcode(value);
      if (!position) {
        throw refuse(`The postcode ${value} was not found`);
      }
      return point(position, endName);
    }
    case "atcocode": {
      const stop = localNetwork().stops.get(value.toUpperCase());
      if (!stop) {
        throw refuse(`No stop has the ATCO code ${value}`);
      }
      return stopWaypoint(stop);
    }
    default: {
      const station = stationByCrs(text.toUpperCase()) ?? stationNamed(text);
      if (!station) {
        throw refuse(`The place ${text} was not understood`);
      }
      return stationWaypoint(station);
    }
  }
}

function point(position: Position, name: EndName): Waypoint {
  return { name, place: undefined, ...position };
}

function parseLonLat(value: string, refuse: (sentence: string) => Error): Position {
  const [, longitude, latitude] = /^(-?\d{1,3}(?:\.\d+)?),(-?\d{1,2}(?:\.\d+)?)$/.exec(value) ?? [];
  if (longitude === undefined || latitude === undefined) {
    throw refuse(`The position ${value} was not understood`);
  }
  const position = { latitude: Number(latitude), longitude: Number(longitude) };
  if (!isInGreatBritain(position)) {
    throw refuse(`The position ${value} is outside Great Britain`);
  }
  return position;
}

function stationNamed(text: string) {
  const wanted = searchable(text);
  return (
    STATIONS.find(({ name }) => searchable(name) === wanted) ??
    STATIONS.find(({ name }) => searchable(name) === `london ${wanted}`)
  );
}
