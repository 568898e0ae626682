// Builds the services that the operator has configured, and the jobs that come with them. What is not configured is
// absent, and with it the commands that need it.
import { composeStyle } from "./compose-style.ts";
import { composeTransport } from "./compose-transport.ts";
import { composeVideo } from "./compose-video.ts";
import type { Clock } from "./core/clock.ts";
import type { Config } from "./core/config.ts";
import type { Http, HttpStreams } from "./core/http-types.ts";
import type { Log } from "./core/log.ts";
import type { Job } from "./jobs/scheduler.ts";
import { createDrawing, type Pictures } from "./render/drawing.ts";
import { createAbout, type About } from "./services/about/about.ts";
import { createBudget } from "./services/budget/create-budget.ts";
import type { CommandDirectory } from "./services/help/directory.ts";
import type { CommandRights, Connection, GuildPublications, Messenger } from "./services/ports.ts";
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
export interface ComposeOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly http: Http & HttpStreams;
  readonly database: Database;
  readonly connection: Connection;
  readonly directory: CommandDirectory;
  readonly messenger: Messenger;
  readonly rights: CommandRights;
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
  const { transport: settings, style: styleSettings, video: videoSettings } = config;
  const pictures = createDrawing();
  const stations = createStations();
  const budget = settings && createBudget({ spending: database.spending, terms: settings.budget, clock });
  const transport =
    settings && budget && composeTransport({ ...options, settings, budget, pictures, stations });
  const style = styleSettings && composeStyle({ ...options, settings: styleSettings });
  const video = videoSettings && composeVideo({ ...options, settings: videoSettings });
  return {
    services: {
      about: createAbout({ version: manifest.version, clock, connection, budget }),
      directory,
      pictures,
      privacy: createPrivacy({ database, clock }),
      stations,
      when: createWhenReader(clock),
      ...transport?.services,
      ...style?.services,
      ...video?.services,
    },
    guildPublications: video?.guildPublications,
    jobs: [...(transport?.jobs ?? []), ...(video?.jobs ?? [])],
    close: async () => void (await Promise.all([style?.close(), video?.close?.()])),
  };
}
