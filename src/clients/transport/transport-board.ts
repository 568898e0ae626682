// What the transport client is asked and what it answers, in words of our own: neither dialect shows through.
import type { Temporal } from "temporal-polyfill";

/** What to ask of one station. */
export interface TransportQuestion {
  /** Three capital letters; anything else is a bug in the caller and throws a RangeError. */
  readonly crs: string;
  readonly kind: "departures" | "arrivals";
  /** Code of a station called at later (departures) or before (arrivals). */
  readonly via?: string | undefined;
  /** Beginning of the window; now where it is absent. */
  readonly from?: Temporal.Instant | undefined;
  /** Length of the window in minutes, at most 22 hours. */
  readonly windowMinutes: number;
  /** Largest number of rows; the service may give fewer. */
  readonly limit: number;
  /** Whether expected times are wanted where the service has them. */
  readonly live: boolean;
}

/** A station's board as the service gave it. */
export interface TransportBoard {
  readonly crs: string;
  readonly stationName: string | undefined;
  /** When the service made this answer; when it came where the service does not say. */
  readonly dataAt: Temporal.Instant;
  /** All that is aimed before this moment is among the rows; there may be more later. */
  readonly coversUntil: Temporal.Instant;
  /** In the order of aimed times. */
  readonly rows: readonly TransportRow[];
}

/** One train or replacement bus at the station. Times are departures or arrivals, as was asked. */
export interface TransportRow {
  readonly mode: "train" | "bus";
  /** The service's own word in capitals, e.g. `STARTS HERE`; it says little about punctuality. */
  readonly status: string | undefined;
  readonly aimedAt: Temporal.Instant;
  readonly expectedAt: Temporal.Instant | undefined;
  /** e.g. `4`, `4B`, `A`. */
  readonly platform: string | undefined;
  /** ATOC code, e.g. `GR`. */
  readonly operatorCode: string | undefined;
  readonly operatorName: string | undefined;
  /** Destination of departures, origin of arrivals. */
  readonly place: string;
  /** Names a train among those of one day; `undefined` in the specification's dialect. */
  readonly trainUid: string | undefined;
  /** The day on which it starts, "YYYY-MM-DD", which may be the one before. */
  readonly startDate?: string | undefined;
  /** A code that several trains share. */
  readonly service: string | undefined;
}
