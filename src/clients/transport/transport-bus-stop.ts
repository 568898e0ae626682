// What the transport client is asked about a bus stop and what it answers, in words of our own.
import type { Temporal } from "temporal-polyfill";
import type { PlacePoint } from "./transport-place.ts";

/** What to ask of one stop. */
export interface BusStopQuestion {
  /** Letters and digits; anything else is a bug in the caller and throws a RangeError. */
  readonly atco: string;
  /** Largest number of departures; the service may give fewer. */
  readonly limit: number;
}

/** A stop with the buses that leave it. */
export interface TransportBusStop {
  readonly atco: string;
  /** e.g. `Boar Lane (stop P6)`. */
  readonly name: string | undefined;
  /** e.g. `Leeds City Centre, Leeds`. */
  readonly locality: string | undefined;
  /** The way its buses face, e.g. `SE`. */
  readonly bearing: string | undefined;
  readonly point: PlacePoint | undefined;
  /** When the service made this answer; when it came where the service does not say. */
  readonly dataAt: Temporal.Instant;
  /** In the order in which they are due. */
  readonly departures: readonly BusDeparture[];
}

/** One bus. At least one of its two times is known. */
export interface BusDeparture {
  /** e.g. `4A`. */
  readonly line: string;
  /** Where it goes; `undefined` where the service does not know. */
  readonly direction: string | undefined;
  /** Name where it is known, else code. */
  readonly operator: string | undefined;
  /** The timetable's time; often absent in London. */
  readonly aimedAt: Temporal.Instant | undefined;
  /** Where the bus itself has been heard of. */
  readonly expectedAt: Temporal.Instant | undefined;
  readonly isCancelled: boolean;
}
