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
import { createBoardPicture } from "./render/board-picture.ts";
import { createChartPicture } from "./render/chart-picture.ts";
import { createAbout } from "./services/about/about.ts";
import { createBudget } from "./services/budget/create-budget.ts";
import type { CommandDirectory } from "./services/help/directory.ts";
import type { CommandRights, Connection, GuildPublications, Messenger, Pictures } from "./services/ports.ts";
import { createPrivacy } from "./services/privacy/privacy.ts";
import type { Services } from "./services/services.ts";
import { createStations } from "./services/stations/create-stations.ts";
import { createWhenReader } from "./services/when/parse-when.ts";
import type { Database } from "./storage/database.ts";
import manifest from "../package.json" with { type: "json" };

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
  const picture = createBoardPicture();
  const chart = createChartPicture();
  const pictures: Pictures = { board: (model) => picture.draw(model), chart: (model) => chart.draw(model) };
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
