import type { LocalLine, LocalMode, Stop } from "../map/local-lines.ts";
import { stationPlace, stopPlace, type Place } from "../map/places.ts";
import type { Position } from "../map/position.ts";
import type { RailStation } from "../railway/stations.ts";
import type { Train } from "../railway/train.ts";

/** The start or end of a leg. */
export interface Waypoint extends Position {
  /** e.g. `York`; `Journey Origin` or `Journey Destination` for a point on the map. */
  readonly name: string;
  /** `undefined` for a point on the map. */
  readonly place: Place | undefined;
}

/** A part of a journey by one mode. Times are in milliseconds since the Unix epoch. */
export interface Leg {
  readonly mode: LocalMode | "train" | "foot";
  readonly from: Waypoint;
  readonly to: Waypoint;
  readonly departMs: number;
  readonly arriveMs: number;
  /** Present only for a train or its replacement bus. `board` and `alight` are indices of the train's calls. */
  readonly ride?: { readonly train: Train; readonly board: number; readonly alight: number };
  readonly line?: LocalLine;
}

/** A whole journey. Its legs are in order of time, with waits between them. */
export interface Route {
  readonly legs: readonly Leg[];
  readonly departMs: number;
  readonly arriveMs: number;
}

const waypoints = new Map<string, Waypoint>();

/** Always returns the same object for a station, because the search uses waypoints as keys. */
export function stationWaypoint(station: RailStation): Waypoint {
  return waypoint(station.crs, () => stationPlace(station));
}

/** Always returns the same object for a stop. */
export function stopWaypoint(stop: Stop): Waypoint {
  return waypoint(stop.atcocode, () => stopPlace(stop));
}

function waypoint(code: string, placeOf: () => Place): Waypoint {
  let known = waypoints.get(code);
  if (!known) {
    const place = placeOf();
    known = { name: place.name, place, latitude: place.latitude, longitude: place.longitude };
    waypoints.set(code, known);
  }
  return known;
}
