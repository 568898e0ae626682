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
import { createDatabaseHealth, startMonitoring } from "./operations/monitoring.ts";
import { createGuildTracker } from "./operations/guild-tracker.ts";
import { createLeaseCoordinator } from "./jobs/lease-coordinator.ts";
import { type ShardWatch, createShardWatch } from "./jobs/shard-watch.ts";
import { checkApplication } from "./storage/facts-table.ts";
import { createGatewaySessions, createSessionSeal } from "./storage/gateway-sessions.ts";
import { explainPictureError } from "./pictures/explain-picture.ts";
import { explainSourceError } from "./sources/source-words.ts";
import { explainVideoError } from "./videos/video-problem-words.ts";
import { type Database, openDatabase } from "./database.ts";
import type { PictureProcessOptions } from "./render/picture-process.ts";
import type { Intercept } from "./storage/open-engine.ts";
import manifest from "../package.json" with { type: "json" };

export const COMMANDS_DIR = new URL("../commands", import.meta.url);

/** Every hour, so that failed erasures are soon retried. Joining or leaving a server also starts an erasure. */
const ERASURE_PATTERN = "20 25 * * * *";
const DATABASE_PATTERN = "50 40 * * * *";
const OLD_BACKUPS_PATTERN = "50 45 * * * *";
const SHARDS_PATTERN = "*/10 * * * * *";
/** Only one process in a fleet gets the owner's command to block a server. */
const BLOCKS_PATTERN = "35 * * * * *";

export type App = Awaited<ReturnType<typeof startApp>>;

export interface AppOptions extends Pick<PictureProcessOptions, "startPictureChild"> {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /** Replaces a PostgreSQL server's own clock if time is simulated. Milliseconds since the epoch. */
  readonly databaseNow?: () => number;
  /** See `DatabaseOptions`. Default: none. */
  readonly formerFile?: string;
  /** Wraps every database statement. Default: statements run directly. */
  readonly intercept?: Intercept | undefined;
  /** See `EngineOptions`. */
  readonly content?: Uint8Array | undefined;
  readonly commandsDir?: URL | undefined;
  /** Gets lines for the person who starts the bot. Default: they are dropped. */
  readonly announce?: (line: string) => void;
  /** Stops the bot while it starts, as `stop` does with `stopGraceMs`; `startApp` then throws. */
  readonly signal?: AbortSignal | undefined;
  /** How long pending answers have at such a stop. Default 0. */
  readonly stopGraceMs?: number;
  /** Called once if the bot cannot continue. The caller must then stop the bot and end the process. */
  readonly onFatal?: (reason: string, exitCode: FailureCode) => void;
}

/**
 * Starts the bot. Resolves when it is ready on every shard and its commands are registered. If the database server or Discord
 * cannot be reached, it waits until they can. Throws a ConfigError if a setting is wrong, an Error if a command's definition
 * is wrong, and whatever error makes another part fail.
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
  /** `undefined` until the jobs start. */
  let isLeader: (() => boolean) | undefined;
  // Monitoring comes first, so that it can see the bot while it starts.
  const monitoring = await startMonitoring(config.http, manifest.version, () => ({
    ...bridge?.state(),
    isDatabaseAway: isDatabaseSilent?.() ?? true,
  }));
  const { meter } = monitoring;
  // From the beginning: a bot that waits for Discord must not look like one that works.
  meter.gauges(() => ({ leader: Number(isLeader?.() ?? false) }));
  const http = createHttp({ clock, log, meter });

  /** Failures after the first one, or while the bot stops, are only consequences. */
  let isEnding = false;

  function fail({ reason, exitCode }: Failure): void {
    if (!isEnding) {
      isEnding = true;
      log.error({ reason, exitCode }, "bot failed");
      announce(reason);
      onFatal?.(reason, exitCode);
    }
  }

  /** Leaves Discord and closes everything. Pending answers and jobs have up to `graceMs` (default 0) to finish. */
  async function stop({ graceMs = 0 }: { readonly graceMs?: number } = {}): Promise<void> {
    isEnding = true;
    // Both stop at the same time, because a job that takes all of the time must leave some for Discord and the last answers.
    const jobsEnded = Promise.resolve(jobs?.stop(graceMs));
    await bridge?.stop(graceMs, jobsEnded);
    await jobsEnded;
    // This releases uploads and stores their state, for which connections must still be open.
    await composed?.close();
    await Promise.all([http.close(), monitoring.close()]);
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
          formerFile: options.formerFile,
          intercept: options.intercept,
          content: options.content,
        }),
    );
    const opened = await untilAborted(opening, signal);
    database = opened;
    const seal = createSessionSeal(openSecretBox(config.secretKeys), log);
    const isFleet = opened.isShared && config.discord.shards === "auto";
    const blockedGuilds = createBlockList(opened.guildRecords, clock);
    meter.gauges(() => opened.tally());
    isDatabaseSilent = createDatabaseHealth(clock, () => opened.ping());
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
      sessions: opened.isPersistent ? createGatewaySessions({ facts: opened.facts, seal, log }) : undefined,
      fleet: isFleet ? { leases: opened.shardLeases, facts: opened.facts, seal } : undefined,
      signal,
      stopGraceMs,
      requestRate: opened.requestRate,
      recent,
      endAnswers: () => composed?.endAnswers(),
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
          startPictureChild: options.startPictureChild,
          ...own,
        });
        return composed.services;
      },
    });
    const connected = bridge;
    await prepare(composed, { announce, log });
    signal.throwIfAborted();
    const { shards: chosen, shardCount } = config.discord;
    // Leased shards cannot run twice, so only others are watched.
    if (opened.isShared && chosen !== "auto" && shardCount !== "auto") {
      shardWatch = createShardWatch({ leases: opened.leases, shards: chosen, shardCount, clock, log });
    }
    const watch = shardWatch;
    meter.gauges(() => ({ duplicate_shards: watch?.countDuplicates() ?? 0 }));
    const coordinator = opened.isShared
      ? createLeaseCoordinator({ leases: opened.leases, isOutdated: () => opened.isOutdated(), log })
      : undefined;
    isLeader = () => coordinator?.isHolder() ?? true;
    /** Every process in a fleet must run these for itself. */
    const ownJobs: readonly (Job | false | undefined)[] = [
      watch && { name: "shards", pattern: SHARDS_PATTERN, everyProcess: true, run: () => watch.check() },
      opened.isShared && {
        name: "blocks",
        pattern: BLOCKS_PATTERN,
        everyProcess: true,
        run: blockedGuilds.load,
      },
      // Each process knows the bot's servers only on its own shards.
      {
        name: "erasure",
        pattern: ERASURE_PATTERN,
        everyProcess: true,
        run: async () => connected.eraseLeftGuilds(),
      },
      {
        name: "old backups",
        pattern: OLD_BACKUPS_PATTERN,
        everyProcess: true,
        run: () => opened.removeOldBackups(),
      },
    ];
    const started = startJobs({
      jobs: [
        ...(composed?.jobs ?? []),
        { name: "database", pattern: DATABASE_PATTERN, run: (_, progress) => opened.maintain(progress) },
        ...ownJobs.filter((job) => job !== undefined && job !== false),
      ],
      coordinator,
      clock,
      log,
      meter,
      onStuck: (job) => fail({ reason: `A job is stuck: ${job}.`, exitCode: EXIT_FAILURE }),
    });
    jobs = started;
    // This runs after the caller has learned that the bot is ready.
    setImmediate(freeStartMemory);
    return { tick: () => started.tick(), stop };
  } catch (error) {
    await stop({ graceMs: signal.aborted ? stopGraceMs : 0 });
    throw error;
  }
}

/** Runs the preparation, and announces the problems that it finds. If it fails, the next start repeats it. */
async function prepare(
  composed: Composed | undefined,
  { announce, log }: Required<Pick<AppOptions, "announce" | "log">>,
): Promise<void> {
  try {
    for (const sentence of (await composed?.prepare()) ?? []) {
      log.error({ sentence }, "start found a problem");
      announce(sentence);
    }
  } catch (error) {
    log.warn({ error }, "preparation failed");
  }
}

/** Frees memory that only the start needed: 15 of 145 MB, in 0.1 s. Does nothing unless Node runs with `--expose-gc`. */
function freeStartMemory(): void {
  // An ordinary collection keeps half-empty pages, so it would free almost nothing.
  globalThis.gc?.({ type: "major", flavor: "last-resort" });
}
