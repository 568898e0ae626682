// The composition root: creates all modules, connects them and starts them. It contains no logic of its own.
import { type Clock, untilAborted } from "./core/clock.ts";
import { type Composed, compose } from "./compose.ts";
import type { Config } from "./core/config.ts";
import { EXIT_FAILURE, type Failure, type FailureCode } from "./core/errors.ts";
import { createHttp } from "./core/http.ts";
import type { Log } from "./core/log.ts";
import { waitUntilAvailable } from "./core/retry.ts";
import { type Bridge, startBridge } from "./discord/bridge.ts";
import { openSecretBox } from "./core/secret-box.ts";
import { createRecentChoices } from "./discord/recent-choices.ts";
import { type Job, type Jobs, startJobs } from "./jobs/scheduler.ts";
import { createBlockList } from "./operations/operator.ts";
import { type Standing, createDatabaseHealth, observe } from "./operations/observe.ts";
import { createGuildTracker } from "./operations/guild-tracker.ts";
import { createLeaseCoordinator } from "./jobs/lease-coordinator.ts";
import { type ShardWatch, createShardWatch } from "./jobs/shard-watch.ts";
import { checkApplication } from "./storage/facts-table.ts";
import { createGatewaySessions, createSessionSeal } from "./storage/gateway-sessions.ts";
import { explainPictureError } from "./pictures/explain-picture.ts";
import { explainSourceError } from "./sources/source-words.ts";
import { explainVideoError } from "./videos/video-problem-words.ts";
import { type Database, openDatabase } from "./database.ts";
import type { Intercept } from "./storage/open-engine.ts";
import manifest from "../package.json" with { type: "json" };

export const COMMANDS_DIR = new URL("../commands", import.meta.url);

/** Every hour, so that what failed is soon tried again. A server that comes or goes also starts it. */
const ERASURE_PATTERN = "20 25 * * * *";
const DATABASE_PATTERN = "50 40 * * * *";
const SHARDS_PATTERN = "*/10 * * * * *";
/** Only one process of a fleet learns when the owner blocks a server. */
const BLOCKS_PATTERN = "35 * * * * *";

export type App = Awaited<ReturnType<typeof startApp>>;

export interface AppOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /** Stands in for a PostgreSQL server's own clock where time is simulated. Milliseconds since the epoch. */
  readonly databaseNow?: () => number;
  /** Around every statement of the database. Default statements run as they are. */
  readonly intercept?: Intercept | undefined;
  readonly commandsDir?: URL | undefined;
  /** Takes lines for the person who starts the bot. Default nobody reads them. */
  readonly announce?: (line: string) => void;
  /** Stops a start that is under way, as `stop` does with `stopGraceMs`; `startApp` then throws. */
  readonly signal?: AbortSignal | undefined;
  /** How long answers under way get at such a stop (default: 0). */
  readonly stopGraceMs?: number;
  /** Called once, when the bot cannot go on; it is left to the caller to stop it and to end the process. Default nothing. */
  readonly onFatal?: (reason: string, exitCode: FailureCode) => void;
}

/**
 * Starts the bot; settles when it is ready on every shard and its commands are registered. Waits for a database server and
 * a Discord that cannot be reached.
 * Throws a ConfigError where a setting is wrong, an Error where a command is, otherwise what failed.
 */
export async function startApp(options: AppOptions) {
  const { config, clock, log, commandsDir = COMMANDS_DIR, announce = () => undefined, onFatal } = options;
  const { signal = new AbortController().signal, stopGraceMs = 0 } = options;
  let bridge: Bridge | undefined;
  let database: Database | undefined;
  let composed: Composed | undefined;
  let jobs: Jobs | undefined;
  let shardWatch: ShardWatch | undefined;
  let isDatabaseSilent: (() => boolean) | undefined;
  // First, so that monitoring sees that the bot is starting.
  const observation = await observe(config.http, manifest.version, () =>
    readStanding(bridge, () => isDatabaseSilent?.() ?? true),
  );
  const { meter } = observation;
  const http = createHttp({ clock, log, meter });

  /** Later failures are only consequences. */
  let isEnding = false;

  function fail({ reason, exitCode }: Failure): void {
    if (!isEnding) {
      isEnding = true;
      log.error({ reason, exitCode }, "bot failed");
      announce(reason);
      onFatal?.(reason, exitCode);
    }
  }

  /** Leaves Discord and closes everything; answers and jobs under way get up to `graceMs` (default 0) to end. */
  async function stop({ graceMs = 0 }: { readonly graceMs?: number } = {}): Promise<void> {
    isEnding = true;
    // Side by side: a job that takes all of the time must leave some for Discord and the last answers.
    const jobsEnded = Promise.resolve(jobs?.stop(graceMs));
    await bridge?.stop(graceMs, jobsEnded);
    await jobsEnded;
    // Uploads are released, and their state recorded, while their connections are still there.
    await composed?.close?.();
    await Promise.all([http.close(), observation.close()]);
    await shardWatch?.close().catch((error: unknown) => log.warn({ error }, "shard leases not released"));
    await database?.close();
  }

  try {
    const opening = waitUntilAvailable(
      {
        name: "database",
        sentence:
          "The database cannot be reached. The bot tries again until it can; if that lasts, check DATABASE_URL and the server that it names.",
        clock,
        log,
        announce,
      },
      () =>
        openDatabase({
          url: config.databaseUrl,
          backups: config.backups,
          clock,
          log,
          meter,
          databaseNow: options.databaseNow,
          intercept: options.intercept,
        }),
    );
    const opened = await untilAborted(opening, signal);
    database = opened;
    const seal = createSessionSeal(openSecretBox(config.secretKeys), log);
    const isFleet = opened.isShared && config.discord.shards === "auto";
    const blockedGuilds = createBlockList({ table: opened.guildRecords, clock });
    meter.gauges(() => opened.tally());
    isDatabaseSilent = createDatabaseHealth({ ping: () => opened.ping(), clock });
    const recent = createRecentChoices({ table: opened.recentChoices, clock, log });
    bridge = await startBridge({
      config: config.discord,
      access: config.access,
      serviceNames: config.serviceNames,
      clock,
      log,
      meter,
      commandsDir,
      announce,
      fail,
      checkApplication: (id) => checkApplication(opened.facts, id),
      guilds: createGuildTracker({
        database: opened,
        publications: () => composed?.guildPublications,
        clock,
        log,
      }),
      blockedGuilds,
      sessions: opened.isLasting ? createGatewaySessions({ facts: opened.facts, seal, log }) : undefined,
      fleet: isFleet ? { leases: opened.shardLeases, facts: opened.facts, seal } : undefined,
      signal,
      stopGraceMs,
      requestRate: opened.requestRate,
      recent,
      explain: (error) => explainVideoError(error) ?? explainPictureError(error) ?? explainSourceError(error),
      createServices(own) {
        composed = compose({
          config,
          clock,
          log,
          meter,
          http,
          database: opened,
          blockedGuilds,
          recent,
          ...own,
        });
        return composed.services;
      },
    });
    const connected = bridge;
    await prepare(composed, { announce, log });
    signal.throwIfAborted();
    const { shards: chosen, shardCount } = config.discord;
    // Leased shards cannot run twice.
    if (opened.isShared && chosen !== "auto" && shardCount !== "auto") {
      shardWatch = createShardWatch({ leases: opened.leases, shards: chosen, shardCount, clock, log });
    }
    const watch = shardWatch;
    meter.gauges(() => ({ duplicate_shards: watch?.countDuplicates() ?? 0 }));
    const coordinator = opened.isShared
      ? createLeaseCoordinator({ leases: opened.leases, isOutdated: () => opened.isOutdated(), log })
      : undefined;
    meter.gauges(() => ({ leader: Number(coordinator?.isHolder() ?? true) }));
    /** What only each process can do for itself. */
    const ofEachProcess: readonly (Omit<Job, "everyProcess"> | undefined)[] = [
      watch && { name: "shards", pattern: SHARDS_PATTERN, run: () => watch.check() },
      opened.isShared
        ? { name: "blocks", pattern: BLOCKS_PATTERN, run: () => blockedGuilds.load() }
        : undefined,
      // Each process knows of its own shards only which servers the bot is in.
      { name: "erasure", pattern: ERASURE_PATTERN, run: async () => connected.eraseLeftGuilds() },
    ];
    const started = startJobs({
      jobs: [
        ...(composed?.jobs ?? []),
        { name: "database", pattern: DATABASE_PATTERN, run: (_, progress) => opened.maintain(progress) },
        ...ofEachProcess
          .filter((job) => job !== undefined)
          .map((job): Job => ({ ...job, everyProcess: true })),
      ],
      coordinator,
      clock,
      log,
      meter,
      onStuck: (job) => fail({ reason: `A job is stuck: ${job}.`, exitCode: EXIT_FAILURE }),
    });
    jobs = started;
    // After the caller has learned that the bot is ready.
    setImmediate(tidyMemory);
    return {
      /** Does what the next tick of its jobs would do, now. */
      tick: () => started.tick(),
      stop,
    };
  } catch (error) {
    await stop({ graceMs: signal.aborted ? stopGraceMs : 0 });
    throw error;
  }
}

/** If it fails, the next start does it again. */
async function prepare(
  composed: Composed | undefined,
  { announce, log }: Required<Pick<AppOptions, "announce" | "log">>,
): Promise<void> {
  try {
    for (const sentence of (await composed?.prepare?.()) ?? []) {
      log.error({ sentence }, "start found a problem");
      announce(sentence);
    }
  } catch (error) {
    log.warn({ error }, "preparation failed");
  }
}

function readStanding(bridge: Bridge | undefined, isDatabaseAway: () => boolean): Standing {
  return {
    ...(bridge?.state() ?? {
      shards: [],
      isConnected: false,
      latencyMs: undefined,
      guilds: 0,
      isTokenRefused: false,
    }),
    isDatabaseAway,
  };
}

/**
 * Frees what only the start needed, which V8 would keep: measured 15 MB of 145, for a pause of 0.1 s in which nothing is
 * answered. Does nothing unless Node was started with `--expose-gc`, as by `npm start` and in the image.
 */
function tidyMemory(): void {
  // An ordinary collection keeps half-empty pages, and with them nearly everything.
  globalThis.gc?.({ type: "major", flavor: "last-resort" });
}
