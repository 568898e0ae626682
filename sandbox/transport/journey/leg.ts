// The pieces of a journey.
import type { Position } from "../geography/position.ts";
import type { LocalMode } from "../local/local-line.ts";
import type { Trip } from "../local/trips.ts";
import type { Place } from "../places/place.ts";
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
  /** `undefined` unless it is a train, or its replacement bus. */
  readonly ride: { readonly train: Train; readonly board: number; readonly alight: number } | undefined;
  /** `undefined` unless it is a local line. */
  readonly trip: Trip | undefined;
}

/** A whole journey; its legs follow each other in time, with waits between them. */
export interface Route {
  readonly legs: readonly Leg[];
  readonly departMs: number;
  readonly arriveMs: number;
}

/** The journey of some legs; `undefined` for none, or for legs of which one leaves before the last has arrived. */
export function routeOf(legs: readonly Leg[]): Route | undefined {
  const first = legs[0];
  const last = legs.at(-1);
  const isInOrder = legs.every((leg, at) => leg.departMs >= (legs[at - 1]?.arriveMs ?? -Infinity));
  return first && last && isInOrder ? { legs, departMs: first.departMs, arriveMs: last.arriveMs } : undefined;
}
