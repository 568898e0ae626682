// The composition root: puts the rooms together and starts them. Knows every room, decides nothing.
import type { Clock } from "./core/clock.ts";
import { compose, type Composed } from "./compose.ts";
import { keepProcessInUtc, type Config } from "./core/config.ts";
import { createHttp } from "./core/http.ts";
import type { Log } from "./core/log.ts";
import { tidyMemory } from "./core/tidy-memory.ts";
import { startBridge, type Bridge } from "./discord/bridge.ts";
import { startJobs, type Jobs } from "./jobs/scheduler.ts";
import { observe, type Standing } from "./observe.ts";
import { createGuildWatch } from "./services/guilds/guild-watch.ts";
import { createLeaseCoordinator } from "./services/leases/lease-coordinator.ts";
import { openDatabase, type Database } from "./storage/database.ts";
import manifest from "../package.json" with { type: "json" };

/** Where the bot's own commands stand. */
export const COMMANDS_DIR = new URL("../commands/", import.meta.url);

/** A running bot. */
export interface App {
  /** Does what the next tick of its jobs would do, now. */
  tick(): Promise<void>;
  /** Leaves Discord and closes everything; answers and jobs under way get up to `graceMs` (default 0) to end. */
  stop(options?: { readonly graceMs?: number }): Promise<void>;
}

export interface AppOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /** Default the bot's own commands. */
  readonly commandsDir?: URL | undefined;
  /** Takes lines for the person who starts the bot. Default nobody reads them. */
  readonly announce?: (line: string) => void;
}

/**
 * Starts the bot; settles when it is ready on every shard and its commands are registered.
 * Throws a ConfigError where a setting is wrong, an Error where a command is, otherwise what failed.
 */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, clock, log, commandsDir = COMMANDS_DIR, announce = () => undefined } = options;
  keepProcessInUtc();
  let bridge: Bridge | undefined;
  let database: Database | undefined;
  let composed: Composed | undefined;
  let jobs: Jobs | undefined;
  // First, so that whoever watches sees a bot that is starting rather than none.
  const observation = await observe(config.httpPort, manifest.version, () =>
    readStanding(bridge, composed, log),
  );
  const { meter } = observation;
  const http = createHttp({ clock, log, meter });

  async function stop({ graceMs = 0 }: { readonly graceMs?: number } = {}): Promise<void> {
    const endMs = clock.now() + graceMs;
    // Jobs send through the bridge. Answers under way use the same time.
    await jobs?.stop(graceMs);
    await bridge?.stop(Math.max(0, endMs - clock.now()));
    // What is being uploaded is let go of, and written down, while its connections are still there.
    await composed?.close?.();
    await Promise.all([http.close(), observation.close()]);
    await database?.close();
  }

  try {
    const opened = await openDatabase({ url: config.databaseUrl, clock, log });
    database = opened;
    bridge = await startBridge({
      config: config.discord,
      clock,
      log,
      meter,
      commandsDir,
      announce,
      guilds: createGuildWatch({
        database: opened,
        publications: () => composed?.guildPublications,
        clock,
        log,
      }),
      createServices(own) {
        composed = compose({ config, clock, log, http, database: opened, ...own });
        return composed.services;
      },
    });
    const started = startJobs({
      jobs: composed?.jobs ?? [],
      coordinator: opened.isShared
        ? createLeaseCoordinator({ leases: opened.leases, clock, log })
        : undefined,
      clock,
      log,
      meter,
    });
    jobs = started;
    // Whoever waits for the bot hears first that it is ready.
    setImmediate(tidyMemory);
    return { tick: () => started.tick(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function readStanding(bridge: Bridge | undefined, composed: Composed | undefined, log: Log): Standing {
  return {
    ...(bridge?.state() ?? { shards: [], latencyMs: undefined, guilds: 0 }),
    async plan() {
      try {
        return (await composed?.services.about?.facts())?.budget;
      } catch (error) {
        log.warn({ error }, "how the plan stands is left out of the metrics");
        return undefined;
      }
    },
  };
}
