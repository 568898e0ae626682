// What is asked of a search, and what it finds.
import type { Pattern, PatternDay, PatternTrip } from "./patterns.ts";

/** A way to begin or to end: a station, and how long it takes between it and the end of the journey. */
export interface End {
  /** Position in `STATIONS`. */
  readonly station: number;
  readonly takesMs: number;
}

/** A way from one station to another that is no train. */
export interface Crossing {
  readonly to: number;
  /** With the time to find the next platform. */
  readonly takesMs: number;
}

/** How one came to be somewhere, told from its end. */
export interface Ride<AnEnd extends End = End> {
  readonly pattern: Pattern;
  readonly trip: PatternTrip;
  readonly board: number;
  readonly alight: number;
  readonly arriveMs: number;
  readonly before: Label<AnEnd>;
}

export type Label<AnEnd extends End> =
  | { readonly kind: "start"; readonly end: AnEnd }
  | { readonly kind: "ride"; readonly ride: Ride<AnEnd> }
  | { readonly kind: "crossing"; readonly from: number; readonly to: number; readonly ride: Ride<AnEnd> };

export interface Found<AnEnd extends End = End> {
  readonly ride: Ride<AnEnd>;
  readonly end: AnEnd;
  /** When the journey is over. */
  readonly overMs: number;
}

export interface SearchQuestion<AnEnd extends End = End> {
  readonly days: readonly PatternDay[];
  readonly starts: readonly AnEnd[];
  readonly ends: readonly AnEnd[];
  readonly startMs: number;
  /** Nothing after this is of interest. */
  readonly horizonMs: number;
  readonly mostRides: number;
  readonly crossings: (station: number) => readonly Crossing[];
  readonly changeMs: (station: number) => number;
  readonly isAllowed: (pattern: Pattern) => boolean;
  readonly isBanned: (trip: PatternTrip) => boolean;
}
