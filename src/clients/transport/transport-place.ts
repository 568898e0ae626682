// What the transport client is asked about places and what it answers, in words of our own.
import type { Temporal } from "temporal-polyfill";

/** What a place is. `other` is anything the service has no boards or stops for, e.g. a street or a point of interest. */
export type PlaceKind =
  | "train-station"
  | "bus-stop"
  | "tube-station"
  | "tram-stop"
  | "ferry"
  | "settlement"
  | "postcode"
  | "other";

/** Degrees, WGS 84. */
export interface PlacePoint {
  readonly latitude: number;
  readonly longitude: number;
}

/** What to ask for. Without `text` and without `near` every answer is empty. */
export interface PlacesQuestion {
  /** Part of a name, or a postcode. */
  readonly text?: string | undefined;
  readonly near?: PlacePoint | undefined;
  /** Only places of these kinds; every kind where it is absent. */
  readonly kinds?: readonly PlaceKind[] | undefined;
  /** From 1. */
  readonly page: number;
}

/** A place as the service knows it. */
export interface Place extends PlacePoint {
  readonly kind: PlaceKind;
  readonly name: string;
  /** Code of a train station, e.g. `YRK`. */
  readonly crs: string | undefined;
  /** Code of a stop or station in the national register (NaPTAN), e.g. `3290YYA00103`. */
  readonly atco: string | undefined;
  /** From the point asked about, where the service says so. */
  readonly distanceMetres: number | undefined;
  /** Where it lies, e.g. `Bishopthorpe, York`. */
  readonly locality: string | undefined;
}

/** One page of places, in the service's order. */
export interface PlacesPage {
  readonly places: readonly Place[];
  /** When the service made this answer; when it came where the service does not say. */
  readonly dataAt: Temporal.Instant;
  /** Whether a further page may hold more; the service seldom says so itself. */
  readonly hasMore: boolean;
  /** Whom the service's terms ask to be named, as the service words it. */
  readonly acknowledgements: string | undefined;
}
