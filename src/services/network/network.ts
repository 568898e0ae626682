// How the network stands, from what the service says and from boards that somebody has looked at lately.
import type { Temporal } from "temporal-polyfill";
import type { NetworkEntry, TransportNetwork } from "../../clients/transport/transport-network.ts";
import type { Stale } from "../cache/answers.ts";
import type { Station } from "../stations/stations.ts";

export type { NetworkEntry, NetworkMode } from "../../clients/transport/transport-network.ts";

/** A train that is cancelled on a board which was looked at. */
export interface CancelledTrain {
  /** Where it was seen. */
  readonly station: Pick<Station, "crs" | "name">;
  /** Destination on a board of departures, origin on one of arrivals. */
  readonly place: string;
  readonly kind: "departures" | "arrivals";
  readonly aimedAt: Temporal.Instant;
  readonly operator: string | undefined;
}

/** What the boards that were looked at lately say of trains. */
export interface SeenTrains {
  /** How many stations there were boards of. */
  readonly stations: number;
  /** When the oldest of these boards was made; `undefined` without boards. */
  readonly oldestAt: Temporal.Instant | undefined;
  /** In the order of aimed times. */
  readonly cancelled: readonly CancelledTrain[];
}

export interface NetworkState {
  readonly basis: TransportNetwork["basis"];
  /** Disrupted ones first, then by mode and name; what is over is left out. */
  readonly entries: readonly NetworkEntry[];
  /** Only where the service has nothing to say of trains. */
  readonly seen: SeenTrains | undefined;
  readonly dataAt: Temporal.Instant;
  /** Set where the answer is older than it should be. */
  readonly stale: Stale | undefined;
}

export interface Network {
  /** Asks the transport service and throws as its client does. */
  state(): Promise<NetworkState>;
}
