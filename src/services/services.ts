// The register of what commands may ask for in `needs`. Types only; app.ts builds the values.
import type { About } from "./about/about.ts";
import type { Boards } from "./boards/boards.ts";
import type { PresentBoard } from "./board-runner/run-boards.ts";
import type { Buses } from "./buses/buses.ts";
import type { CommandDirectory } from "./help/directory.ts";
import type { Departures } from "./departures/departures.ts";
import type { Journeys } from "./journeys/journeys.ts";
import type { Network } from "./network/network.ts";
import type { Places } from "./places/places.ts";
import type { Messenger, Pictures } from "./ports.ts";
import type { Privacy } from "./privacy/privacy.ts";
import type { Publish } from "./publish/publish.ts";
import type { StyleGallery } from "./restyle/gallery.ts";
import type { Restyle } from "./restyle/restyle.ts";
import type { Stations } from "./stations/stations.ts";
import type { Timetables } from "./timetable/timetable.ts";
import type { Trains } from "./trains/trains.ts";
import type { VideoAccounts } from "./video-accounts/video-accounts.ts";
import type { VideoActors } from "./video-actors/video-actors.ts";
import type { VideoRules } from "./video-settings/video-settings.ts";
import type { Videos } from "./videos/videos.ts";
import type { Watches } from "./watches/watches.ts";
import type { WhenReader } from "./when/when.ts";

export interface Services {
  readonly about: About;
  readonly boards: Boards;
  readonly buses: Buses;
  readonly departures: Departures;
  readonly directory: CommandDirectory;
  readonly journeys: Journeys;
  readonly network: Network;
  /** Reads what somebody sent in a conversation. */
  readonly personMessages: Pick<Messenger, "personMessage">;
  readonly pictures: Pictures;
  readonly places: Places;
  /** Makes messages of boards; shared with the runner, so that what is drawn for one serves the other. */
  readonly presentBoard: PresentBoard;
  readonly privacy: Privacy;
  readonly publish: Publish;
  readonly restyle: Restyle;
  readonly stations: Stations;
  readonly styleGallery: StyleGallery;
  readonly timetables: Timetables;
  readonly trains: Trains;
  readonly videoAccounts: VideoAccounts;
  readonly videoActors: VideoActors;
  readonly videoRules: VideoRules;
  readonly videos: Videos;
  readonly watches: Watches;
  /** Reads dates and times as people type them. */
  readonly when: WhenReader;
}
