// Builds the services that the operator has configured, and the jobs that come with them. What is not configured is
// absent, and with it the commands that need it.
import { composeBoards } from "./boards/compose.ts";
import type { TransportConfig } from "./core/config.ts";
import { composePictures } from "./pictures/compose.ts";
import { composeRail } from "./rail/compose.ts";
import { composeSources } from "./sources/compose.ts";
import { composeTravel } from "./travel/compose.ts";
import { composeVideos } from "./videos/compose.ts";
import { composeWatches } from "./watches/compose.ts";
import { type Budget, createBudget } from "./plan/budget.ts";
import { createPlanUses } from "./plan/plan-use.ts";
import type { Job } from "./jobs/scheduler.ts";
import { DRAWING, type Pictures } from "./render/drawing.ts";
import { type About, createAbout } from "./operations/about.ts";
import type { CommandDirectory } from "./discord/directory.ts";
import type { RecentChoices } from "./discord/recent-choices.ts";
import { type Readings, noMeter } from "./core/meter.ts";
import type { GuildPublications, Messenger, Platform } from "./core/ports.ts";
import type { BlockList } from "./operations/block-list.ts";
import { createAttention } from "./operations/attention.ts";
import { createMatters } from "./operations/matters.ts";
import { createNotices } from "./operations/notice.ts";
import { attentionView, noticeView } from "./operations/operator-view.ts";
import { type Operator, createOperator } from "./operations/operator.ts";
import { type Privacy, createPrivacy } from "./operations/privacy.ts";
import type { Setup } from "./operations/setup-view.ts";
import type { Services } from "./discord/define/services.ts";
import { type Stations, createStations } from "./rail/stations.ts";
import { type WhenReader, createWhenReader } from "./time/parse-when.ts";
import type { Database } from "./database.ts";
import { newestBackupMs } from "./storage/backups.ts";
import type { Boards } from "./boards/boards.ts";
import type { PresentBoard } from "./boards/board-post-view.ts";
import type { Buses } from "./travel/buses.ts";
import type { Departures } from "./rail/departures.ts";
import type { Journeys } from "./travel/journeys.ts";
import type { Network } from "./travel/network.ts";
import type { Places } from "./travel/places.ts";
import type { Publish } from "./videos/publishing/publish.ts";
import type { StyleGallery } from "./pictures/gallery.ts";
import type { Restyle } from "./pictures/restyle.ts";
import type { Timetables } from "./rail/timetable.ts";
import type { Trains } from "./rail/trains.ts";
import type { VideoAccounts } from "./videos/accounts/video-accounts.ts";
import type { VideoActors } from "./videos/settings/video-actors.ts";
import type { VideoRules } from "./videos/settings/video-rules.ts";
import type { Videos } from "./videos/videos.ts";
import type { Watches } from "./watches/watches.ts";
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
    readonly operator: Operator;
    readonly personMessages: Pick<Messenger, "personMessage">;
    readonly pictures: Pictures;
    readonly places: Places;
    /** Makes messages of boards; shared with the runner, so that what is drawn for one serves the other. */
    readonly presentBoard: PresentBoard;
    readonly privacy: Privacy;
    readonly publish: Publish;
    readonly readSetup: (guildId: string) => Promise<Setup>;
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
    readonly when: WhenReader;
  }
}

const NOTICE_PATTERN = "15,45 * * * * *";
const ATTENTION_PATTERN = "50 * * * * *";

export interface ComposeOptions extends Platform {
  readonly database: Database;
  readonly directory: CommandDirectory;
  readonly blockedGuilds: BlockList;
  readonly recent: Pick<RecentChoices, "forget" | "remember">;
}

export interface Composed {
  readonly services: Partial<Services>;
  readonly jobs: readonly Job[];
  /** What is to be done for servers' publications as they come and go. */
  readonly guildPublications?: GuildPublications | undefined;
  /** Is done once at each start; gives sentences for the operator. Throws as the database does. */
  prepare?(): Promise<readonly string[]>;
  /** Ends what would outlive an answer, e.g. processes of its own. */
  close?(): Promise<void>;
}

/** Sends nothing: services do so when they are asked, and jobs when they run. */
export function compose(options: ComposeOptions): Composed {
  const { config, database, clock, log, meter, connection, messenger, directory } = options;
  const stations = createStations();
  const { transport } = config;
  const { spending } = database;
  const planUses = createPlanUses(clock);
  const budget =
    transport && planUses.of("transport", createBudget({ spending, terms: transport.budget, clock, log }));
  const styleTerms = config.style?.budget;
  const styleBudget =
    styleTerms &&
    planUses.of(
      "style",
      createBudget({
        service: "style",
        spending,
        terms: styleTerms,
        clock,
        log,
      }),
    );
  const budgets = { transport: budget, style: styleBudget };
  meter.gauges(() => readPlans(budgets));
  const trains =
    transport &&
    budget &&
    composeTrains(options, { settings: transport, budget, pictures: DRAWING, stations });
  const style = config.style && composePictures({ ...options, settings: config.style, budget: styleBudget });
  const video = config.video && composeVideos({ ...options, settings: config.video });
  const notices = createNotices({
    facts: database.facts,
    boardChannels: () => database.boards.activeChannels(),
    messenger,
    present: noticeView,
    clock,
    log,
  });
  const attention = createAttention({
    facts: database.facts,
    matters: createMatters({
      video: video?.services.videoAccounts,
      plans: [
        ...(transport && budget
          ? [{ what: "trains", limit: transport.budget.calls, budget, boardsWant: planUses.boardsWant }]
          : []),
        ...(styleTerms && styleBudget
          ? [{ what: "pictures", limit: styleTerms.calls, budget: styleBudget }]
          : []),
      ],
      newestBackupMs:
        config.backups.days === 0 ? undefined : () => newestBackupMs(config.backups.folder, clock.now()),
      countMissed: (sinceMs) => database.boards.countMissed(sinceMs),
      clock,
    }),
    isOn: config.ownerNotices,
    ownerIds: options.ownerIds,
    messenger,
    present: attentionView,
    clock,
    log,
  });
  return {
    services: {
      about: createAbout({ version: manifest.version, clock, connection, budget, styleBudget }),
      directory,
      personMessages: options.messenger,
      operator: createOperator({
        connection,
        access: options.guildAccess,
        blocks: options.blockedGuilds,
        records: database.guildRecords,
        notices,
        attention,
        countBoards: () => database.boards.countActive(),
        planUses: () => planUses.today(),
      }),
      pictures: DRAWING,
      privacy: createPrivacy({ database, recent: options.recent, clock }),
      readSetup: async (guildId) => {
        const { boards } = trains?.services ?? {};
        const { videoRules } = video?.services ?? {};
        return {
          boards: (await boards?.list(guildId))?.length,
          videos: await videoRules?.settings(guildId),
        };
      },
      stations,
      when: createWhenReader(clock),
      ...trains?.services,
      ...style?.services,
      ...video?.services,
    },
    guildPublications: video?.guildPublications,
    jobs: [
      ...(trains?.jobs ?? []),
      ...(video?.jobs ?? []),
      { name: "notice", pattern: NOTICE_PATTERN, run: (_nowMs, progress) => notices.work(progress) },
      { name: "attention", pattern: ATTENTION_PATTERN, run: () => attention.work() },
    ],
    prepare: async () => (await video?.prepare()) ?? [],
    close: async () => void (await Promise.all([style?.close(), video?.close()])),
  };
}

/** Throws as the database does. */
async function readPlans(budgets: Readonly<Record<string, Budget | undefined>>): Promise<Readings> {
  const states = await Promise.all(
    Object.entries(budgets).map(async ([service, budget]) => ({ service, ...(await budget?.state()) })),
  );
  const valuesOf = (key: "limit" | "used" | "left") =>
    states.flatMap(({ service, [key]: value }) =>
      value === undefined ? [] : [[{ service }, value] as const],
    );
  return {
    plan_calls_limit: valuesOf("limit"),
    plan_calls_used: valuesOf("used"),
    plan_calls_left: valuesOf("left"),
  };
}

/** Stands for a connection to Discord. Composing uses nothing of it: `never` fits all of its types. */
const UNCONNECTED = new Proxy({}, { get: () => () => undefined }) as never;

/** Composes only to see which services are configured. */
export function composeUnconnected(
  options: Pick<ComposeOptions, "config" | "clock" | "log" | "http" | "database">,
): Composed {
  return compose({
    ...options,
    meter: noMeter,
    connection: UNCONNECTED,
    directory: UNCONNECTED,
    messenger: UNCONNECTED,
    rights: UNCONNECTED,
    guildAccess: UNCONNECTED,
    ownerIds: UNCONNECTED,
    blockedGuilds: UNCONNECTED,
    recent: UNCONNECTED,
  });
}

function composeTrains(
  options: ComposeOptions,
  own: {
    readonly settings: TransportConfig;
    readonly budget: Budget;
    readonly pictures: Pictures;
    readonly stations: Stations;
  },
): Composed {
  const sources = composeSources({ ...options, ...own });
  const shared = { ...options, ...own, sources, terms: own.settings.budget };
  const boards = composeBoards(shared);
  const watches = composeWatches({ ...shared, data: boards.data });
  const rail = composeRail(shared).services;
  return {
    services: {
      ...rail,
      ...composeTravel({ ...shared, trains: rail.trains }).services,
      ...boards.services,
      ...watches.services,
    },
    jobs: [...boards.jobs, ...watches.jobs],
  };
}
