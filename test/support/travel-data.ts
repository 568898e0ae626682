// Places, stops, networks and a fake transport client for tests of travel.
import type { TransportClient } from "../../src/sources/transport-api/transport-client.ts";
import type {
  BusDeparture,
  NetworkEntry,
  Place,
  PlacesPage,
  PlacesQuestion,
  TransportBoard,
  TransportBusStop,
  TransportNetwork,
} from "../../src/sources/transport-data.ts";

/** The time of these tests. */
export const NOW = Temporal.Instant.from("2026-03-04T17:20:40Z");

/** A UK time on that day, "HH:MM". */
export function ukTime(text: string): Temporal.Instant {
  return Temporal.Instant.from(`2026-03-04T${text}:00Z`);
}

/** A bus stop in York by default. */
export function place(more: Partial<Place> = {}): Place {
  return {
    kind: "bus-stop",
    name: "Mill Lane",
    crs: undefined,
    atco: "3290EX001",
    latitude: 53.95,
    longitude: -1.1,
    distanceMetres: undefined,
    locality: "York",
    ...more,
  };
}

export function placesPage(places: readonly Place[], more: Partial<PlacesPage> = {}): PlacesPage {
  return { places, dataAt: NOW, hasMore: false, acknowledgements: undefined, ...more };
}

/** A bus to the centre. */
export function bus(
  aimed: string | undefined,
  expected: string | undefined,
  more: Partial<BusDeparture> = {},
): BusDeparture {
  return {
    line: "4A",
    direction: "City Centre",
    operator: "Example Buses",
    aimedAt: aimed === undefined ? undefined : ukTime(aimed),
    expectedAt: expected === undefined ? undefined : ukTime(expected),
    isCancelled: false,
    ...more,
  };
}

export function busStop(
  departures: readonly BusDeparture[],
  more: Partial<TransportBusStop> = {},
): TransportBusStop {
  return {
    source: "transport",
    atco: "3290EX001",
    name: "Mill Lane",
    locality: "York",
    bearing: "N",
    point: { latitude: 53.95, longitude: -1.1 },
    dataAt: NOW,
    departures,
    ...more,
  };
}

/** A disrupted train operator by default. */
export function networkEntry(more: Partial<NetworkEntry> = {}): NetworkEntry {
  return {
    mode: "train",
    name: "Northern",
    state: "MINOR DELAYS",
    description: "A signal failed.",
    isDisrupted: true,
    from: undefined,
    until: undefined,
    ...more,
  };
}

/** The prepared answer or error for each verb. */
export interface PreparedAnswers {
  readonly places?: (question: PlacesQuestion) => PlacesPage | Error;
  readonly busStop?: TransportBusStop | Error;
  readonly network?: TransportNetwork | Error;
  readonly board?: TransportBoard | Error;
}

/** A client that returns the prepared answers and records the questions. */
export function fakeTransportClient(prepared: PreparedAnswers): {
  readonly client: Pick<TransportClient, "board" | "places" | "busStop" | "network">;
  readonly asked: readonly unknown[];
} {
  const asked: unknown[] = [];
  const give = <T extends object>(question: unknown, answer: T | Error | undefined): T => {
    asked.push(question);
    if (answer instanceof Error) {
      throw answer;
    }
    if (answer === undefined) {
      throw new Error("the test expects no further request");
    }
    return answer;
  };
  return {
    asked,
    client: {
      places: async (question) => give(question, prepared.places?.(question)),
      busStop: async (question) => give(question, prepared.busStop),
      network: async () => give("network", prepared.network),
      board: async ({ crs }) => give(`board ${crs}`, prepared.board),
    },
  };
}
