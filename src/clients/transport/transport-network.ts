// What the transport client answers about the network, in words of our own.
import type { Temporal } from "temporal-polyfill";

/** `other` is whatever the service does not name. */
export type NetworkMode = "train" | "tube" | "tram" | "bus" | "ferry" | "other";

/** How the network stands, as far as the service says. */
export interface TransportNetwork {
  /**
   * `status`: every line, good or not, as the specification's short path gives. `bus-situations`: disruptions on the
   * buses and nothing else, which is all that the public service has.
   */
  readonly basis: "status" | "bus-situations";
  /** When the service made this answer; when it came where the service does not say. */
  readonly dataAt: Temporal.Instant;
  readonly entries: readonly NetworkEntry[];
}

/** A line with its state, or an incident. */
export interface NetworkEntry {
  readonly mode: NetworkMode;
  /** A line's name or an incident's summary. */
  readonly name: string;
  /** A line's state in the service's words, e.g. `Minor delays`; `undefined` for an incident. */
  readonly state: string | undefined;
  readonly description: string | undefined;
  readonly isDisrupted: boolean;
  /** When an incident begins and ends, where it is known. */
  readonly from: Temporal.Instant | undefined;
  readonly until: Temporal.Instant | undefined;
}
