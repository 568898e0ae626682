// Journeys, places, buses and the state of the network.
import type { Clock } from "../core/clock.ts";
import { createBuses } from "./buses.ts";
import { createFollowJourney } from "./follow-journey.ts";
import { createJourneys } from "./journeys.ts";
import { createNetwork } from "./network.ts";
import { createPlaces } from "./places.ts";
import type { Stations } from "../rail/stations.ts";
import type { Trains } from "../rail/trains.ts";
import type { Sources } from "../sources/compose.ts";
import { isLondonStop } from "../sources/tfl/tfl-client.ts";
import type { BusStopQuestion, TransportBusStop } from "../sources/transport-data.ts";

/** Only the transport service knows any of this, but for the buses at a London stop. Sends nothing before it is asked. */
export function composeTravel({
  sources,
  trains,
  stations,
  clock,
}: {
  readonly sources: Sources;
  readonly trains: Trains;
  readonly stations: Stations;
  readonly clock: Clock;
}) {
  const { person, transport, london, answers, placeAnswers } = sources;
  const { terms } = sources.plans.get("transport") ?? {};
  if (transport === undefined || terms === undefined) {
    return { services: {} };
  }
  const places = createPlaces({ transport, answers: placeAnswers, stations });
  const busStop = (question: BusStopQuestion): Promise<TransportBusStop> =>
    (london && isLondonStop(question.atco) ? london.person : transport).busStop(question);
  const follow = createFollowJourney({ transport: person, answers, trains, stations, terms, clock });
  return {
    services: {
      places,
      journeys: createJourneys({ transport, answers, places, follow, stations, clock }),
      buses: createBuses({ transport: { busStop }, answers, places, clock }),
      network: createNetwork({ transport: { ...transport, board: person.board }, answers, clock }),
    },
  };
}
