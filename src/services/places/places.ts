// Stations, stops and settlements: by name, or near a place.
import type { Temporal } from "temporal-polyfill";
import type { Place, PlaceKind } from "../../clients/transport/transport-place.ts";
import type { Stale } from "../cache/answers.ts";
import type { Point } from "./great-britain.ts";
import type { PlaceRef } from "./place-ref.ts";

export type { Place, PlaceKind } from "../../clients/transport/transport-place.ts";

/** How many places a list shows at once: five to a screen of a phone, and the service's pages of 25 divide by it. */
export const PLACES_SHOWN = 5;

/** A point that people know by a name, e.g. `York`, `YO24 1AB`. */
export interface NamedPoint extends Point {
  readonly name: string;
}

/** Where in a long list to begin: a page of the service from 1, and how many of its places to skip. */
export interface PlacesStart {
  readonly page: number;
  readonly skip: number;
}

/** What a person wants to see. At least one of `text` and `near` is given. */
export interface PlacesSearch {
  readonly text: string | undefined;
  readonly near: NamedPoint | undefined;
  readonly kind: PlaceKind | undefined;
  readonly start: PlacesStart;
}

/** A part of a list of places; nearest first where the search has a point. */
export interface PlaceList {
  readonly search: PlacesSearch;
  /** At most {@link PLACES_SHOWN}. */
  readonly places: readonly Place[];
  /** `undefined` where there is nothing before. */
  readonly previous: PlacesStart | undefined;
  /** `undefined` where there is nothing after. */
  readonly next: PlacesStart | undefined;
  readonly dataAt: Temporal.Instant;
  /** Set where the answer is older than it should be. */
  readonly stale: Stale | undefined;
  /** Whom the service's terms ask to be named. */
  readonly acknowledgements: string | undefined;
}

/** Several places that a name may mean. */
export interface PlaceChoices {
  readonly text: string;
  /** Two to 25. */
  readonly choices: readonly Place[];
  readonly acknowledgements: string | undefined;
}

/** Places that an answer names, and whom the service's terms ask to be named beside them. */
export interface FoundPlaces {
  readonly places: readonly Place[];
  readonly acknowledgements: string | undefined;
}

/** Everything here asks the transport service, once for all who want to know the same, and throws as its client does. */
export interface Places {
  search(search: PlacesSearch): Promise<PlaceList>;
  /** The places a name may mean, of one kind or of any, best first, at most 25; empty where there are none. */
  find(text: string, kind?: PlaceKind): Promise<FoundPlaces>;
  /** Bus stops that came along in earlier answers, for completion: asks nobody. */
  suggestStops(text: string, limit: number): readonly Place[];
  /** The places of one kind around a point, nearest first, at most 25. */
  nearest(near: NamedPoint, kind: PlaceKind): Promise<FoundPlaces>;
  /**
   * Where a place lies. Stations and points are known without asking. Gives choices where a name may mean several, and
   * throws a UserError where nothing is called that.
   */
  locate(ref: PlaceRef): Promise<NamedPoint | PlaceChoices>;
}
