// What the journey planner is asked and what it answers, in words of our own.
import type { Temporal } from "temporal-polyfill";

/** An end of a journey. Values that could not be one are a bug in the caller and throw a RangeError. */
export type JourneyEnd =
  | { readonly kind: "station"; readonly crs: string }
  /** With or without its space, e.g. `YO24 1AB`. */
  | { readonly kind: "postcode"; readonly postcode: string }
  /** Degrees. */
  | { readonly kind: "point"; readonly latitude: number; readonly longitude: number }
  | { readonly kind: "stop"; readonly atcocode: string };

export interface TransportJourneyQuestion {
  readonly from: JourneyEnd;
  readonly to: JourneyEnd;
  /** To the minute. */
  readonly at: Temporal.Instant;
  /** Whether `at` is the latest arrival and not the earliest departure. */
  readonly arriveBy: boolean;
}

/** Ways from one place to another, in the order of the answer. */
export interface TransportJourneys {
  /** When the service made this answer; when it came where the service does not say. */
  readonly dataAt: Temporal.Instant;
  readonly routes: readonly TransportRoute[];
  /** Whom the answer asks to name beside the service itself. */
  readonly acknowledgements: string | undefined;
}

export interface TransportRoute {
  readonly departsAt: Temporal.Instant;
  readonly arrivesAt: Temporal.Instant;
  readonly durationMinutes: number;
  /** Pounds sterling. */
  readonly pricePounds: number | undefined;
  /** At least one; waits are the gaps between them. */
  readonly legs: readonly TransportLeg[];
  /** Vehicles less one: what one walks is no change. */
  readonly changes: number;
}

export interface TransportLeg {
  /** `walk`, or the service's word for the vehicle in small letters, e.g. `train`, `bus`, `tube`, `tram`, `boat`. */
  readonly mode: string;
  /** e.g. `Northern` or `4A`; trains of the public service have a number here. */
  readonly line: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** What the vehicle has on its front. */
  readonly destination: string | undefined;
  readonly departsAt: Temporal.Instant;
  readonly arrivesAt: Temporal.Instant;
}
