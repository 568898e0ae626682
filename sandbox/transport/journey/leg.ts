// The pieces of a journey.
import type { LocalLine, LocalMode, Stop } from "../map/local-lines.ts";
import { stationPlace, stopPlace, type Place } from "../map/places.ts";
import type { Position } from "../map/position.ts";
import type { RailStation } from "../railway/stations.ts";
import type { Train } from "../railway/train.ts";

/** An end of a leg. */
export interface Waypoint extends Position {
  /** e.g. `York`; `Journey Origin` and `Journey Destination` for ends that are no place. */
  readonly name: string;
  /** `undefined` for a point on the map. */
  readonly place: Place | undefined;
}

/** One means of getting on. Times in milliseconds since the Unix epoch. */
export interface Leg {
  readonly mode: LocalMode | "train" | "foot";
  readonly from: Waypoint;
  readonly to: Waypoint;
  readonly departMs: number;
  readonly arriveMs: number;
  /** Absent unless it is a train, or its replacement bus. */
  readonly ride?: { readonly train: Train; readonly board: number; readonly alight: number };
  /** Absent unless it is a local line. */
  readonly line?: LocalLine;
}

/** A whole journey; its legs follow each other in time, with waits between them. */
export interface Route {
  readonly legs: readonly Leg[];
  readonly departMs: number;
  readonly arriveMs: number;
}

const waypoints = new Map<string, Waypoint>();

/** A station as an end of a leg: the same object each time. */
export function stationWaypoint(station: RailStation): Waypoint {
  return waypoint(station.crs, () => stationPlace(station));
}

/** A stop as an end of a leg: the same object each time. */
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
