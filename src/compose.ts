// Builds the services that the operator has configured. What is not configured is absent, and with it the
// commands that need it.
import { createTransportClient } from "./clients/transport/client.ts";
import type { Clock } from "./core/clock.ts";
import type { Config } from "./core/config.ts";
import type { Http } from "./core/http.ts";
import type { Log } from "./core/log.ts";
import { createBoardPicture } from "./render/board-picture.ts";
import { createAbout } from "./services/about/about.ts";
import { createDepartures } from "./services/departures/create-departures.ts";
import type { CommandDirectory } from "./services/help/directory.ts";
import type { Connection } from "./services/ports.ts";
import type { Services } from "./services/services.ts";
import { createStations } from "./services/stations/create-stations.ts";
import manifest from "../package.json" with { type: "json" };

/** What services stand on. */
export interface ComposeOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly http: Http;
  readonly connection: Connection;
  readonly directory: CommandDirectory;
}

/** Sends nothing: services do so when they are asked. */
export function composeServices({
  config,
  clock,
  log,
  http,
  connection,
  directory,
}: ComposeOptions): Partial<Services> {
  const picture = createBoardPicture();
  return {
    about: createAbout({ version: manifest.version, clock, connection }),
    directory,
    pictures: { board: (model) => picture.draw(model) },
    stations: createStations(),
    ...(config.transport && {
      departures: createDepartures({
        transport: createTransportClient({ ...config.transport, http, clock, log }),
        clock,
      }),
    }),
  };
}
