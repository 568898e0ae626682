// The client's verbs for what lies around: places, bus stops and the network.
import { Temporal } from "temporal-polyfill";
import type { Clock } from "../../core/clock.ts";
import type { Ask, TransportDialect } from "./ask.ts";
import { formatBusStopRequest } from "./bus-stop-request.ts";
import { formatNetworkRequest } from "./network-request.ts";
import { networkSchema } from "./network-schema.ts";
import { formatPlacesRequest } from "./places-request.ts";
import { busStopSchema, readBusStop } from "./read-bus-stop.ts";
import { readNetwork } from "./read-network.ts";
import { placesSchema, readPlaces } from "./read-places.ts";
import type { BusStopQuestion, TransportBusStop } from "./transport-bus-stop.ts";
import type { TransportNetwork } from "./transport-network.ts";
import type { PlacesPage, PlacesQuestion } from "./transport-place.ts";

/** Verbs of the client; each is one request and throws as {@link Ask} does. */
export interface AroundVerbs {
  /** Stations, stops and settlements by name or near a point. */
  places(question: PlacesQuestion): Promise<PlacesPage>;
  /** The buses that leave a stop. */
  busStop(question: BusStopQuestion): Promise<TransportBusStop>;
  /** The state of the network, or what the dialect has instead. */
  network(): Promise<TransportNetwork>;
}

/** Makes the verbs for one account. */
export function createAroundVerbs({
  ask,
  dialect,
  clock,
}: {
  ask: Ask;
  dialect: TransportDialect;
  clock: Clock;
}): AroundVerbs {
  const now = (): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(clock.now());
  return {
    async places(question) {
      const body = await ask("places", formatPlacesRequest(question, dialect), placesSchema);
      return readPlaces(body, question, now());
    },
    async busStop(question) {
      const body = await ask("bus-stop", formatBusStopRequest(question, dialect), busStopSchema);
      return readBusStop(body, question.atco, now());
    },
    async network() {
      const body = await ask("network", formatNetworkRequest(dialect), networkSchema);
      return readNetwork(body, dialect === "public" ? "bus-situations" : "status", now());
    },
  };
}
