// Builds the services that the operator has configured, and the jobs that come with them. What is not configured is
// absent, and with it the commands that need it.
import { composeBoards } from "./boards/compose.ts";
import type { TransportConfig } from "./core/config.ts";
import type { Platform } from "./core/platform.ts";
import { composePictures } from "./pictures/compose.ts";
import { composeRail } from "./rail/compose.ts";
import { composeSources } from "./sources/compose.ts";
import { composeTravel } from "./travel/compose.ts";
import { composeVideos } from "./videos/compose.ts";
import { composeWatches } from "./watches/compose.ts";
import type { Budget } from "./services/budget/budget.ts";
import type { Job } from "./jobs/scheduler.ts";
import { createDrawing, type Pictures } from "./render/drawing.ts";
import { createAbout, type About } from "./services/about/about.ts";
import { createBudget } from "./services/budget/create-budget.ts";
import type { CommandDirectory } from "./services/help/directory.ts";
import type { GuildPublications, Messenger } from "./core/ports.ts";
import { createPrivacy, type Privacy } from "./services/privacy/privacy.ts";
import type { Services } from "./discord/define/services.ts";
import { createStations } from "./services/stations/create-stations.ts";
import { createWhenReader } from "./services/when/parse-when.ts";
import type { Database } from "./storage/database.ts";
import type { Boards } from "./services/boards/boards.ts";
import type { PresentBoard } from "./services/board-runner/run-boards.ts";
import type { Buses } from "./services/buses/buses.ts";
import type { Departures } from "./services/departures/departures.ts";
import type { Journeys } from "./services/journeys/journeys.ts";
import type { Network } from "./services/network/network.ts";
import type { Places } from "./services/places/places.ts";
import type { Publish } from "./services/publish/publish.ts";
import type { StyleGallery } from "./services/restyle/gallery.ts";
import type { Restyle } from "./services/restyle/restyle.ts";
import type { Stations } from "./services/stations/stations.ts";
import type { Timetables } from "./services/timetable/timetable.ts";
import type { Trains } from "./services/trains/trains.ts";
import type { VideoAccounts } from "./services/video-accounts/video-accounts.ts";
import type { VideoActors } from "./services/video-actors/video-actors.ts";
import type { VideoRules } from "./services/video-settings/video-settings.ts";
import type { Videos } from "./services/videos/videos.ts";
import type { Watches } from "./services/watches/watches.ts";
import type { WhenReader } from "./services/when/when.ts";
import manifest from "../package.json" with { type: "json" };

declare module "./discord/define/services.ts" {
  interface Services {
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
}

/** What services stand on. */
export interface ComposeOptions extends Platform {
  readonly database: Database;
  readonly directory: CommandDirectory;
}

/** What is configured. */
export interface Composed {
  readonly services: Partial<Services>;
  /** What the bot does by itself. */
  readonly jobs: readonly Job[];
  /** What is to be done for servers' publications as they come and go. */
  readonly guildPublications?: GuildPublications | undefined;
  /** Ends what would outlive an answer, e.g. processes of its own. */
  close?(): Promise<void>;
}

/** Sends nothing: services do so when they are asked, and jobs when they run. */
export function compose(options: ComposeOptions): Composed {
  const { config, database, clock, connection, directory } = options;
  const pictures = createDrawing();
  const stations = createStations();
  const { transport } = config;
  const budget = transport && createBudget({ spending: database.spending, terms: transport.budget, clock });
  const trains =
    transport && budget && composeTrains(options, { settings: transport, budget, pictures, stations });
  const style = config.style && composePictures({ ...options, settings: config.style });
  const video = config.video && composeVideos({ ...options, settings: config.video });
  return {
    services: {
      about: createAbout({ version: manifest.version, clock, connection, budget }),
      directory,
      pictures,
      privacy: createPrivacy({ database, clock }),
      stations,
      when: createWhenReader(clock),
      ...trains?.services,
      ...style?.services,
      ...video?.services,
    },
    guildPublications: video?.guildPublications,
    jobs: [...(trains?.jobs ?? []), ...(video?.jobs ?? [])],
    close: async () => void (await Promise.all([style?.close(), video?.close()])),
  };
}

/** Everything that asks the transport service. */
function composeTrains(
  options: ComposeOptions,
  own: {
    readonly settings: TransportConfig;
    readonly budget: Budget;
    readonly pictures: Pictures;
    readonly stations: Stations;
  },
): Composed {
  const shared = { ...options, ...own, sources: composeSources({ ...options, ...own }) };
  const boards = composeBoards({ ...shared, terms: own.settings.budget });
  const watches = composeWatches({ ...shared, data: boards.data });
  return {
    services: {
      ...composeRail(shared).services,
      ...composeTravel(shared).services,
      ...boards.services,
      ...watches.services,
    },
    jobs: [...boards.jobs, ...watches.jobs],
  };
}
