// The register of what commands may ask for in `needs`. Types only; app.ts builds the values.
import type { About } from "./about/about.ts";
import type { CommandDirectory } from "./help/directory.ts";
import type { Departures } from "./departures/departures.ts";
import type { Pictures } from "./ports.ts";
import type { Stations } from "./stations/stations.ts";

export interface Services {
  readonly about: About;
  readonly departures: Departures;
  readonly directory: CommandDirectory;
  readonly pictures: Pictures;
  readonly stations: Stations;
}
