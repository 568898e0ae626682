// The way from a client to a connection: settles when every shard is ready.
import { type Client, Events, type REST, SimpleIdentifyThrottler } from "discord.js";
import { ConfigError, EXIT_CONFIG, ServiceError } from "../core/errors.ts";
import { explainClose } from "./gateway-watch.ts";
import { explainRefusal, isTokenRefusal } from "./explain-refusal.ts";
import type { LoginThrottler } from "./identify-throttler.ts";
import { sleep } from "../core/clock.ts";
import { type AvailabilityWait, waitUntilAvailable } from "../core/retry.ts";
import type { ShardManager } from "./client.ts";

/**
 * Throws a ConfigError where a setting is wrong, a ServiceError where another start may help, otherwise what discord.js
 * throws. The client is left closed then.
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

// The first requests to Discord, without which the bot cannot start: where Discord does not answer, the bot waits.

/** A single 401 may be a mistake of Discord's, and one that ends the bot keeps it from being started again. */
const REFUSAL_WAIT_MS = 1_000;

/** Asks with a REST that fails at once, until Discord answers. What it throws is what `explainRefusal` makes of it. */
export type AskAtLogin = <T>(ask: (rest: REST) => Promise<T>) => Promise<T>;

export function createAskAtLogin({
  rest,
  token,
  ...how
}: Pick<AvailabilityWait, "announce" | "clock" | "log"> & {
  readonly rest: REST;
  readonly token: string;
}): AskAtLogin {
  const wait: AvailabilityWait = {
    ...how,
    name: "Discord",
    sentence:
      "Discord cannot be reached. The bot keeps trying. If this lasts, check this machine's network, DISCORD_API_BASE_URL and https://discordstatus.com.",
  };

  async function askExplained<T>(ask: (rest: REST) => Promise<T>, refusals = 0): Promise<T> {
    try {
      // discord.js drops it after a 401.
      rest.setToken(token);
      return await ask(rest);
    } catch (error) {
      if (refusals > 0 || !isTokenRefusal(error)) {
        throw explainRefusal(error);
      }
    }
    how.log.warn({}, "token refused; asking once more");
    await sleep(how.clock, REFUSAL_WAIT_MS);
    return askExplained(ask, refusals + 1);
  }

  return (ask) => waitUntilAvailable(wait, () => askExplained(ask));
}

export interface LoginWait extends Pick<AvailabilityWait, "announce" | "clock" | "log"> {
  readonly askAtLogin: AskAtLogin;
}

/**
 * discord.js gives the login up if Discord does not answer its request for the gateway's address, or if fewer logins are left
 * than there are shards to start.
 */
export function waitForDiscord(manager: ShardManager, { askAtLogin, announce, clock, log }: LoginWait): void {
  const wait: AvailabilityWait = {
    announce,
    clock,
    log,
    name: "gateway login",
    sentence:
      "Discord allows a bot about 1,000 logins in 24 hours, and too few of this bot's are left. It waits until there are more; the log says how long. Find out why it logs in so often.",
  };
  const fetchOnce = manager.fetchGatewayInformation.bind(manager);
  manager.fetchGatewayInformation = (force) => {
    let isAgain = force;
    return waitUntilAvailable(wait, async () => {
      const information = await askAtLogin((rest) => {
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
 * discord.js's own throttler, which by itself would go on after the last login of the day, with which Discord resets the
 * token. A shard's first login was counted by `waitForDiscord` a moment before.
 */
export async function createLoginThrottler(manager: ShardManager): Promise<LoginThrottler> {
  const { session_start_limit: limit } = await manager.fetchGatewayInformation();
  const throttler = new SimpleIdentifyThrottler(limit.max_concurrency);
  const begun = new Set<number>();
  /** Shared: a connection that closes meanwhile and comes back joins it. */
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
