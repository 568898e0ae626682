// Ways from one place to another by public transport.
import type { Temporal } from "temporal-polyfill";
import type { TransportRoute } from "../../clients/transport/transport-journey.ts";
import type { Stale } from "../cache/answers.ts";
import type { Place } from "../places/places.ts";
import type { PlaceRef } from "../places/place-ref.ts";

export type {
  TransportLeg as JourneyLeg,
  TransportRoute as Route,
} from "../../clients/transport/transport-journey.ts";

/** A place that the planner can be asked about as it stands. */
export type KnownPlace = Exclude<PlaceRef, { readonly kind: "text" }>;

/** An end of a journey. */
export interface JourneyEnd {
  readonly place: KnownPlace;
  /** As people call it, e.g. `York`, `YO24 1AB`. */
  readonly name: string;
}

export interface JourneyQuestion {
  readonly from: JourneyEnd;
  readonly to: JourneyEnd;
  /** To the minute. */
  readonly at: Temporal.Instant;
  /** Whether `at` is the latest arrival and not the earliest departure. */
  readonly arriveBy: boolean;
}

export interface JourneyPlan {
  readonly question: JourneyQuestion;
  /** By departure; empty where there is no way. */
  readonly routes: readonly TransportRoute[];
  /** When the service made this answer. */
  readonly dataAt: Temporal.Instant;
  /** Set where the answer is older than it should be, because the service could not be asked again. */
  readonly stale: Stale | undefined;
  /** Whom the answer asks to name beside the service itself. */
  readonly acknowledgements: string | undefined;
}

/** What a name may mean: stations of our own list, or places that the service knows. */
export type EndChoice =
  | { readonly kind: "end"; readonly end: JourneyEnd; readonly detail: string | undefined }
  /** Ask the service for places of this name. */
  | { readonly kind: "search"; readonly text: string };

/** Either the end that is meant, or what a person has to choose from. */
export type FoundEnd =
  | { readonly kind: "found"; readonly end: JourneyEnd }
  | {
      readonly kind: "choose";
      readonly text: string;
      readonly choices: readonly EndChoice[];
      /** Whom to name beside choices of the service's. */
      readonly acknowledgements: string | undefined;
    };

export interface Journeys {
  /** Ways for a question. Throws UserError for a question that makes no sense, ServiceError as the client does. */
  plan(question: JourneyQuestion): Promise<JourneyPlan>;
  /**
   * The end that a text means, without asking anybody: a name that is no station's gives the stations it may be
   * meant for, and the search. Throws a UserError for what cannot be a place.
   */
  read(text: string): FoundEnd;
  /** The end that a name means, asking the service for places; throws a UserError where nothing is called that. */
  search(text: string): Promise<FoundEnd>;
}

/** The end that a place of the service's is. */
export function endOfPlace({ crs, atco, name, latitude, longitude }: Place): JourneyEnd {
  if (crs !== undefined) {
    return { place: { kind: "station", crs, name }, name };
  }
  return atco === undefined
    ? { place: { kind: "point", latitude, longitude }, name }
    : { place: { kind: "stop", atcocode: atco }, name };
}
