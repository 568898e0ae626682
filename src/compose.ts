// Builds the services that the operator has configured. What is not configured is absent, and with it the
// commands that need it.
import { createTransportClient } from "./clients/transport/client.ts";
import type { Clock } from "./core/clock.ts";
import type { Config, TransportConfig } from "./core/config.ts";
import type { Http } from "./core/http.ts";
import type { Log } from "./core/log.ts";
import { createBoardPicture } from "./render/board-picture.ts";
import { createAbout } from "./services/about/about.ts";
import type { Budget } from "./services/budget/budget.ts";
import { createBudget } from "./services/budget/create-budget.ts";
import { createBuses } from "./services/buses/create-buses.ts";
import { createAnswers } from "./services/cache/answers.ts";
import { createDepartures } from "./services/departures/create-departures.ts";
import type { CommandDirectory } from "./services/help/directory.ts";
import { createNetwork } from "./services/network/create-network.ts";
import { keptBoards } from "./services/network/kept-boards.ts";
import { createPlaces } from "./services/places/create-places.ts";
import type { Connection } from "./services/ports.ts";
import { createJourneys } from "./services/journeys/create-journeys.ts";
import { createPrivacy } from "./services/privacy/privacy.ts";
import type { Services } from "./services/services.ts";
import { createStations } from "./services/stations/create-stations.ts";
import type { Stations } from "./services/stations/stations.ts";
import { createTimetables } from "./services/timetable/create-timetables.ts";
import { createTrains } from "./services/trains/create-trains.ts";
import { createWhenReader } from "./services/when/parse-when.ts";
import type { Database } from "./storage/database.ts";
import manifest from "../package.json" with { type: "json" };

/** What services stand on. */
export interface ComposeOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly http: Http;
  readonly database: Database;
  readonly connection: Connection;
  readonly directory: CommandDirectory;
}

/** The transport service refreshes once a minute. */
const FRESH_MS = 60_000;
/** Boards look two hours ahead: after one, half of an old board is still to come. */
const STALE_MS = 60 * 60_000;
/** Stations and stops hardly ever move, and the terms let answers be kept as long as one likes. */
const PLACES_FRESH_MS = 12 * 60 * 60_000;
const PLACES_STALE_MS = 30 * 24 * 60 * 60_000;

/** Sends nothing: services do so when they are asked. */
export function composeServices({ config, database, ...base }: ComposeOptions): Partial<Services> {
  const { clock, log, http, connection, directory } = base;
  const { transport: settings } = config;
  const picture = createBoardPicture();
  const budget = settings && createBudget({ spending: database.spending, terms: settings.budget, clock });
  const stations = createStations();
  return {
    about: createAbout({ version: manifest.version, clock, connection, budget }),
    directory,
    pictures: { board: (model) => picture.draw(model) },
    privacy: createPrivacy({ database, clock }),
    stations,
    when: createWhenReader(clock),
    ...(settings && budget && composeTransport(settings, budget, { clock, log, http, stations })),
  };
}

/** Everything that asks the transport service. */
function composeTransport(
  settings: TransportConfig,
  budget: Budget,
  {
    clock,
    log,
    http,
    stations,
  }: Pick<ComposeOptions, "clock" | "log" | "http"> & { readonly stations: Stations },
): Partial<Services> {
  const transport = createTransportClient({
    ...settings,
    http,
    clock,
    log,
    spend: (weight) => budget.take("person", weight),
    usedUp: (retryAfterMs) => budget.closeFor(retryAfterMs),
  });
  const answers = createAnswers({ clock, freshMs: FRESH_MS, staleMs: STALE_MS });
  const placeAnswers = createAnswers({ clock, freshMs: PLACES_FRESH_MS, staleMs: PLACES_STALE_MS });
  const places = createPlaces({ transport, answers: placeAnswers, stations });
  return {
    departures: createDepartures({ transport, answers, clock }),
    places,
    journeys: createJourneys({ transport, answers, places, stations, clock }),
    timetables: createTimetables({ transport, answers, clock }),
    trains: createTrains({ transport, answers, clock }),
    buses: createBuses({ transport, answers, places, clock }),
    network: createNetwork({
      transport,
      answers,
      stations,
      clock,
      keptBoards: () => keptBoards(answers),
    }),
  };
}
