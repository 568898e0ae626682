// Live boards, single trains and timetables.
import type { Clock } from "../core/clock.ts";
import { createDepartures } from "../services/departures/create-departures.ts";
import { createTimetables } from "../services/timetable/create-timetables.ts";
import { createTrains } from "../services/trains/create-trains.ts";
import type { Sources } from "../sources/compose.ts";

/** Sends nothing before it is asked. */
export function composeRail({ sources, clock }: { readonly sources: Sources; readonly clock: Clock }) {
  const asking = { transport: sources.person, answers: sources.answers, clock };
  return {
    services: {
      departures: createDepartures(asking),
      timetables: createTimetables(asking),
      trains: createTrains(asking),
    },
  };
}
