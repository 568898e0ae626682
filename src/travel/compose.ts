import type { Clock } from "../core/clock.ts";
import { createBuses } from "./buses.ts";
import { createFindRouteDetails } from "./route-details.ts";
import { createJourneys } from "./journeys.ts";
import { createNetwork } from "./network.ts";
import { createPlaces } from "./places.ts";
import type { Stations } from "../rail/stations.ts";
import type { Trains } from "../rail/trains.ts";
import type { Sources } from "../sources/compose.ts";

/** Journeys, places and buses need the transport service. Sends nothing itself. */
export function composeTravel(deps: {
  readonly sources: Sources;
  readonly trains: Trains;
  readonly stations: Stations;
  readonly clock: Clock;
}) {
  const { sources, trains, stations, clock } = deps;
  const { person, transport, answers, placeAnswers } = sources;
  const london = sources.london?.person;
  const network = createNetwork({
    person,
    transport: sources.networks.transport?.person,
    railway: sources.networks["rail-data"]?.person,
    london: sources.networks.tfl?.person,
    knowsTrains: sources.hasRailway,
    answers,
    clock,
  });
  const { terms } = sources.plans.get("transport") ?? {};
  if (transport === undefined || terms === undefined) {
    return { services: { network } };
  }
  const places = createPlaces({ transport, answers: placeAnswers, stations });
  const findRouteDetails = createFindRouteDetails({
    transport: person,
    answers,
    trains,
    stations,
    terms,
    clock,
  });
  return {
    services: {
      places,
      journeys: createJourneys({ transport, answers, places, findRouteDetails, stations, clock }),
      buses: createBuses({ transport, london, answers, places, clock }),
      network,
    },
  };
}
