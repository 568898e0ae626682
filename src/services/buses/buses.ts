// Buses that leave a stop.
import type { TransportBusStop } from "../../clients/transport/transport-bus-stop.ts";
import type { Stale } from "../cache/answers.ts";
import type { PlaceRef } from "../places/place-ref.ts";
import type { PlaceChoices } from "../places/places.ts";

export type { BusDeparture } from "../../clients/transport/transport-bus-stop.ts";

/** A stop with the buses that are still to come, in the order in which they are due. */
export interface BusBoard extends TransportBusStop {
  /** Set where the answer is older than it should be. */
  readonly stale: Stale | undefined;
}

/** Both ask the transport service and throw as its client does. */
export interface Buses {
  /** The board of the stop with this ATCO code; throws a UserError where there is no such stop. */
  stop(atco: string): Promise<BusBoard>;
  /**
   * The stop that a place means: by code, by name, or near a place. Gives choices where there are several, and throws a
   * UserError where there is none.
   */
  findStop(ref: PlaceRef): Promise<{ readonly atco: string } | PlaceChoices>;
}
