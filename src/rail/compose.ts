import type { Clock } from "../core/clock.ts";
import { createDepartures } from "./departures.ts";
import { createTimetables } from "./timetable.ts";
import { createTrains } from "./trains.ts";
import type { Sources } from "../sources/compose.ts";

export function composeRail({ sources, clock }: { readonly sources: Sources; readonly clock: Clock }) {
  const asking = { transport: sources.person, answers: sources.answers, clock };
  return {
    services: {
      departures: createDepartures(asking),
      ...(sources.transport && { timetables: createTimetables(asking) }),
      trains: createTrains({ ...asking, timetable: sources.transport }),
    },
  };
}
