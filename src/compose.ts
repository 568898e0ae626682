// Creates the services that are configured, and their jobs. Commands that need another service are absent.
import { composeBoards } from "./boards/compose.ts";
import { composePictures } from "./pictures/compose.ts";
import { composeRail } from "./rail/compose.ts";
import { type SourcePlans, type Sources, composeSources } from "./sources/compose.ts";
import { composeTravel } from "./travel/compose.ts";
import { composeVideos } from "./videos/compose.ts";
import { composeWatches } from "./watches/compose.ts";
import {
  PLANNED_SERVICES,
  type Plan,
  type PlannedService,
  createBudget,
  createPlanUses,
} from "./plan/budget.ts";
import { PLAN_WORDS, type AboutFacts, type PlanStatus } from "./operations/about-view.ts";
import type { Job } from "./jobs/scheduler.ts";
import { drawBoardPicture } from "./render/board-picture.ts";
import { drawChartPicture } from "./render/chart-picture.ts";
import { drawJourneyPicture } from "./render/journey-picture.ts";
import type { CommandDirectory } from "./discord/directory.ts";
import type { RecentChoices } from "./discord/recent-choices.ts";
import { recover } from "./core/errors.ts";
import { type Readings, noMeter } from "./core/meter.ts";
import type { Messenger, Platform } from "./core/ports.ts";
import { type BlockList, type Operator, createOperator } from "./operations/operator.ts";
import { createAttention } from "./operations/attention.ts";
import { createAttentionChecks } from "./operations/attention-checks.ts";
import { createNotices } from "./operations/notice.ts";
import { attentionView, noticeView } from "./operations/operator-view.ts";
import { type Privacy, createPrivacy } from "./operations/privacy.ts";
import type { PictureProcessOptions } from "./render/picture-process.ts";
import type { Setup } from "./operations/setup-view.ts";
import type { Services } from "./discord/define/context.ts";
import { type Stations, createStations } from "./rail/stations.ts";
import { type WhenReader, createWhenReader } from "./time/parse-when.ts";
import type { Database } from "./database.ts";
import { newestBackupMs } from "./storage/backups.ts";
import manifest from "../package.json" with { type: "json" };

/** All services that a feature's compose function may return for commands. */
type ServicesOf<F extends (...options: never[]) => { readonly services: object }> = AllOf<
  ReturnType<F>["services"]
>;
type AllOf<S> = {
  readonly [K in S extends unknown ? keyof S : never]: S extends { readonly [_ in K]?: infer Service }
    ? NonNullable<Service>
    : never;
};

declare module "./discord/define/context.ts" {
  interface Services
    extends
      ServicesOf<typeof composeBoards>,
      ServicesOf<typeof composePictures>,
      ServicesOf<typeof composeRail>,
      ServicesOf<typeof composeTravel>,
      ServicesOf<typeof composeVideos>,
      ServicesOf<typeof composeWatches> {
    readonly directory: CommandDirectory;
    readonly operator: Operator;
    readonly personMessages: Pick<Messenger, "personMessage">;
    readonly pictures: typeof PICTURES;
    readonly privacy: Privacy;
    /** Absent if no source has the railway's stations. */
    readonly railway: true;
    readonly readAbout: () => Promise<AboutFacts>;
    readonly readSetup: (guildId: string) => Promise<Setup>;
    readonly stations: Stations;
    readonly when: WhenReader;
  }
}

/** The pictures that the bot draws itself, as PNG. The canvas library is loaded for the first of them. */
const PICTURES = { board: drawBoardPicture, chart: drawChartPicture, journey: drawJourneyPicture };

const NOTICE_PATTERN = "15,45 * * * * *";
const ATTENTION_PATTERN = "50 * * * * *";

export interface ComposeOptions extends Platform, PictureProcessOptions {
  readonly database: Database;
  readonly directory: CommandDirectory;
  readonly blockedGuilds: BlockList;
  readonly recent: Pick<RecentChoices, "forget" | "remember">;
}

export type Composed = ReturnType<typeof compose>;

/** Creates everything, but sends nothing: only a service that is called or a job that runs does. */
export function compose(options: ComposeOptions) {
  const { config, database, clock, log, meter, connection, messenger, directory } = options;
  const { spending } = database;
  const startedAtMs = clock.elapsed();
  const planUses = createPlanUses(clock);
  const terms = {
    transport: config.transport?.budget,
    "rail-data": config.railData?.budget,
    tfl: config.tfl?.budget,
    style: config.style?.budget,
  };
  const plans: ReadonlyMap<PlannedService, Plan> = new Map(
    PLANNED_SERVICES.flatMap((service) => {
      const own = terms[service];
      const budget = own && createBudget({ service, spending, terms: own, clock, log });
      return own && budget ? [[service, { terms: own, budget: planUses.of(service, budget) }] as const] : [];
    }),
  );
  const sources = composeSources({ ...options, plans: sourcePlans(plans) });
  const stations = createStations({
    hasLondon: config.tfl !== undefined,
    hasRailway: !config.tfl || sources.hasRailway,
    hasPlaces: config.transport !== undefined,
  });
  const readPlans = (): Promise<readonly PlanStatus[]> =>
    Promise.all(
      [...plans].map(async ([service, { budget }]) => ({
        service,
        state: await budget.state(),
        ...(service !== "style" && {
          lastFailure: sources.lastFailure(service),
          credit: sources.creditOf(service),
        }),
      })),
    );
  meter.gauges(async () => planReadings(await readPlans()));
  const trains = sources.plans.size > 0 ? composeTrains({ ...options, sources, stations }) : undefined;
  const style =
    config.style &&
    composePictures({ ...options, settings: config.style, budget: plans.get("style")?.budget });
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
    checks: createAttentionChecks({
      video: video?.services.videoAccounts,
      plans: [...plans].map(([service, plan]) => ({
        what: PLAN_WORDS[service].plan,
        limit: plan.terms.calls,
        budget: plan.budget,
        boardsWant: () => planUses.boardsWant(service),
      })),
      refusals: sources.refusals,
      styleRefusal: style?.refusal,
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
  const services: Partial<Services> = {
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
      readPlans,
    }),
    pictures: PICTURES,
    privacy: createPrivacy({ database, recent: options.recent, watches: trains?.services.watches, clock }),
    readAbout: async () => ({
      version: manifest.version,
      upForMs: clock.elapsed() - startedAtMs,
      latencyMs: connection.latencyMs(),
      guildCount: connection.guildCount(),
      // So that people learn that the bot runs and only its database is unavailable.
      plans: await recover(readPlans(), ["unavailable"], () => undefined),
    }),
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
    ...(sources.hasRailway && { railway: true as const }),
    ...trains?.services,
    ...style?.services,
    ...video?.services,
  };
  const jobs: readonly Job[] = [
    ...(trains?.jobs ?? []),
    ...(video?.jobs ?? []),
    { name: "notice", pattern: NOTICE_PATTERN, run: (_nowMs, progress) => notices.work(progress) },
    { name: "attention", pattern: ATTENTION_PATTERN, run: () => attention.work() },
  ];
  return {
    services,
    jobs,
    /** To be notified when the bot leaves a server or returns to one; `undefined` if publishing is not set up. */
    guildPublications: video?.guildPublications,
    /** Called once at each start. Returns sentences for the operator. Throws as the database does. */
    prepare: async () => (await video?.prepare()) ?? [],
    /** Ends the work on answers, because the bot is about to stop. Each gives what is ready, or a sentence. */
    endAnswers: () => style?.endAnswers(),
    /** Ends work that outlives answers, e.g. separate processes. */
    close: async () => void (await Promise.all([style?.close(), video?.close()])),
  };
}

function sourcePlans(plans: ReadonlyMap<PlannedService, Plan>): SourcePlans {
  return new Map(
    [...plans].flatMap(([service, plan]) => (service === "style" ? [] : [[service, plan] as const])),
  );
}

function planReadings(statuses: readonly PlanStatus[]): Readings {
  const valuesOf = (key: "limit" | "used" | "left") =>
    statuses.map(({ service, state }) => [{ service }, state[key]] as const);
  return {
    plan_calls_limit: valuesOf("limit"),
    plan_calls_used: valuesOf("used"),
    plan_calls_left: valuesOf("left"),
  };
}

/** Stands in for a connection to Discord. Composing calls none of it; `never` fits all of the types. */
const UNCONNECTED = new Proxy({}, { get: () => () => undefined }) as never;

/** Composes without a connection, only to find out which services are configured. */
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

function composeTrains(shared: ComposeOptions & { readonly sources: Sources; readonly stations: Stations }) {
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
