// Logs the client in, and waits as long as Discord cannot be reached or allows no login.
import { type Client, Events, type REST, SimpleIdentifyThrottler } from "discord.js";
import { sleep } from "../core/clock.ts";
import type { DiscordConfig } from "../core/config.ts";
import { ConfigError, EXIT_CONFIG, ServiceError } from "../core/errors.ts";
import type { Meter } from "../core/meter.ts";
import { type AvailabilityWait, waitUntilAvailable } from "../core/retry.ts";
import { explainClose, explainRefusal, isTokenRefusal } from "./explain-refusal.ts";
import type { LoginThrottler } from "./identify-throttler.ts";
import type { ShardManager } from "./client.ts";
import { createLoginRest } from "./rest.ts";

/**
 * Resolves when every shard is ready. Throws a ConfigError if a setting is wrong, a ServiceError if another start may
 * help, and otherwise what discord.js throws. It then closes the client.
 */
export async function logIn(client: Client, token: string, isShardCountAuto: boolean): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      client.once(Events.ClientReady, () => resolve());
      client.once(Events.ShardDisconnect, ({ code }) => {
        const { reason, exitCode } = explainClose(code, isShardCountAuto);
        const isLasting = exitCode === EXIT_CONFIG;
        reject(isLasting ? new ConfigError([reason]) : new ServiceError("discord", "rejected", reason));
      });
      client.login(token).catch((error: unknown) => reject(explainRefusal(error)));
    });
  } catch (error) {
    await client.destroy();
    throw error;
  }
}

type WaitOptions = Pick<AvailabilityWait, "announce" | "clock" | "log">;

/** A single 401 may be a mistake of Discord's, and the bot would exit with a code after which it is not restarted. */
const REFUSAL_WAIT_MS = 1_000;

/** Repeats a request until Discord answers. Throws what `explainRefusal` makes of other errors. */
export type AskAtLogin = <T>(ask: (rest: REST) => Promise<T>) => Promise<T>;

export function createAskAtLogin(
  options: WaitOptions & { readonly config: DiscordConfig; readonly meter: Meter },
): AskAtLogin {
  const { config, clock, log } = options;
  const rest = createLoginRest(config, options.meter);
  const wait: AvailabilityWait = {
    ...options,
    name: "Discord",
    sentence:
      "Discord cannot be reached. The bot keeps trying. If this lasts, check this machine's network and clock, DISCORD_API_BASE_URL and https://discordstatus.com.",
  };

  async function askExplained<T>(ask: (rest: REST) => Promise<T>, refusals = 0): Promise<T> {
    try {
      // discord.js drops the token after a 401.
      rest.setToken(config.token);
      return await ask(rest);
    } catch (error) {
      if (refusals > 0 || !isTokenRefusal(error)) {
        throw explainRefusal(error);
      }
    }
    log.warn({}, "token refused; asking once more");
    await sleep(clock, REFUSAL_WAIT_MS);
    return askExplained(ask, refusals + 1);
  }

  return (ask) => waitUntilAvailable(wait, () => askExplained(ask));
}

export interface LoginWait extends WaitOptions {
  readonly askAtLogin: AskAtLogin;
}

/** Makes the login wait for the gateway's address and for as many logins as there are shards; discord.js gives up. */
export function waitForDiscord(manager: ShardManager, options: LoginWait): void {
  const wait: AvailabilityWait = {
    ...options,
    name: "gateway login",
    sentence:
      "Discord allows a bot about 1,000 logins in 24 hours, and too few of this bot's are left. It waits until there are more; the log says how long. Find out why it logs in so often.",
  };
  const fetchOnce = manager.fetchGatewayInformation.bind(manager);
  manager.fetchGatewayInformation = (force) => {
    let isAgain = force;
    return waitUntilAvailable(wait, async () => {
      const information = await options.askAtLogin((rest) => {
        manager.options.rest = rest;
        return fetchOnce(isAgain);
      });
      isAgain = true;
      const { remaining, reset_after: retryAfterMs } = information.session_start_limit;
      const { shardIds } = manager.options;
      if (remaining < (Array.isArray(shardIds) ? shardIds.length : information.shards)) {
        throw new ServiceError("discord", "rate-limited", `${remaining} logins left`, { retryAfterMs });
      }
      return information;
    });
  };
}

/**
 * discord.js's own throttler, which also checks that logins are left. By itself, it would continue after the last login
 * of the day, and Discord would reset the token. A shard's first login needs no check, because `waitForDiscord` has
 * just counted it.
 */
export async function createLoginThrottler(manager: ShardManager): Promise<LoginThrottler> {
  const { session_start_limit: limit } = await manager.fetchGatewayInformation();
  const throttler = new SimpleIdentifyThrottler(limit.max_concurrency);
  const begun = new Set<number>();
  /** The check under way. Connections that close and come back in the meantime share it. */
  let checking: Promise<unknown> | undefined;
  return {
    isWaitingForLogin: () => checking !== undefined,
    async waitForIdentify(shard, signal) {
      if (begun.has(shard)) {
        // If it fails, e.g. because the token is refused, Discord's answer to the login says why.
        checking ??= manager
          .fetchGatewayInformation(true)
          .catch(() => undefined)
          .finally(() => {
            checking = undefined;
          });
        await checking;
        signal.throwIfAborted();
      }
      begun.add(shard);
      await throttler.waitForIdentify(shard, signal);
    },
  };
}
