// One train with all its calling points, in words of our own.
import type { Temporal } from "temporal-polyfill";

/** Which train: its id among those of one day, and the day it starts. */
export interface TransportTrainQuestion {
  /** e.g. `C00001`; a value that could not be one is a bug in the caller and throws a RangeError. */
  readonly trainUid: string;
  readonly startDate: Temporal.PlainDate;
}

export interface TransportTrain {
  readonly mode: "train" | "bus";
  readonly origin: string | undefined;
  readonly destination: string | undefined;
  /** ATOC code, e.g. `GR`. */
  readonly operatorCode: string | undefined;
  readonly operatorName: string | undefined;
  /** When the service made this answer; when it came where the service does not say. */
  readonly dataAt: Temporal.Instant;
  /** Where it stops, in order; at least one. Where it only passes is left out. */
  readonly stops: readonly TransportStop[];
}

/** Times are `undefined` where the train has none (its first arrival), or where nothing live is known. */
export interface TransportStop {
  readonly crs: string | undefined;
  readonly name: string;
  readonly platform: string | undefined;
  readonly aimedArrivalAt: Temporal.Instant | undefined;
  readonly expectedArrivalAt: Temporal.Instant | undefined;
  readonly aimedDepartureAt: Temporal.Instant | undefined;
  readonly expectedDepartureAt: Temporal.Instant | undefined;
  /** The service's own word in capitals, e.g. `CANCELLED`; passed stops have none. */
  readonly status: string | undefined;
}
