// Decides when a shard may identify. Several processes share Discord's two limits, per five seconds and per 24 hours.
// https://discord.com/developers/docs/events/gateway#rate-limiting
import type { EventEmitter } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { IIdentifyThrottler } from "discord.js";
import { ConfigError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { createKeyedQueue, createRuns } from "../core/runs.ts";
import type { ShardLeasesTable } from "../storage/leases-table.ts";
import type { ShardManager } from "./client.ts";

/** Discord requires five seconds between two logins in a bucket, counted from its answer to the first. */
const APART_MS = 5_000;
/** A turn lasts this long if Discord does not answer, or if the process dies. */
const TURN_MS = 10_000;
/** A turn that takes longer to get is released: TURN_MS less APART_MS is reserved for the trip to Discord. */
const MAX_LATENESS_MS = 2_000;
const ASK_EVERY_MS = 250;
/** How long to wait after a failure before Discord is asked again how many logins are left. */
const ASK_AGAIN_MS = 1_000;
/** How long Discord's count of remaining logins is trusted, unless the other processes could use them up in that time. */
const REMEMBER_MS = 60_000;
/** Never used: Discord resets the token of a bot that identifies too often, and other processes may be identifying. */
const RESERVE = 10;

export interface LoginThrottler extends IIdentifyThrottler {
  isWaitingForLogin(): boolean;
}

export function createIdentifyThrottler(
  manager: ShardManager,
  deps: {
    readonly leases: Pick<ShardLeasesTable, "takeIdentify" | "endIdentify">;
    readonly holder: string;
    readonly announce: (line: string) => void;
    readonly log: Log;
  },
): LoginThrottler {
  const { leases, holder, announce, log } = deps;
  /** Only one shard of a bucket asks at a time. */
  const queue = createKeyedQueue();
  let maxConcurrency = 1;
  let loginsLeft = 0;
  let askedAtMs = -Infinity;
  let isExhausted = false;
  let waiting = 0;
  let isFailing = false;

  // The turn belongs to the shard, so that a late answer does not end the turn of the process's next shard.
  const holderOf = (shard: number): string => `${holder} ${shard}`;
  const bucketOf = (shard: number): number => shard % maxConcurrency;

  // The types of `on` require an enum that discord.js hides behind its own of the same name.
  const events = manager as unknown as EventEmitter;
  events.on("ready", ({ shardId: shard }: { readonly shardId: number }) => {
    leases
      .endIdentify(bucketOf(shard), holderOf(shard), APART_MS)
      .catch((error: unknown) => log.debug({ error, shard }, "turn to identify not ended"));
  });

  const asking = createRuns(async () => {
    try {
      const { session_start_limit: limit } = await manager.fetchGatewayInformation(true);
      askedAtMs = performance.now();
      maxConcurrency = limit.max_concurrency;
      loginsLeft = limit.remaining;
      noteExhaustion(limit.total, limit.reset_after);
    } catch (error) {
      log.warn({ error }, "login limit not read");
      throw error;
    }
  });

  /** Rejects only if `signal` aborts, because after any other error discord.js identifies without a turn. */
  async function readLimit(maxAgeMs: number, signal: AbortSignal): Promise<void> {
    let isAnswered = false;
    while (!isAnswered && performance.now() - askedAtMs >= maxAgeMs) {
      isAnswered = await (maxAgeMs > 0 ? asking.join() : asking.again()).then(
        () => true,
        // E.g. the token is refused: Discord's answer to the login says so.
        (error: unknown) => error instanceof ConfigError,
      );
      if (!isAnswered) {
        await wait(ASK_AGAIN_MS, undefined, { signal });
      }
    }
  }

  /** How many logins to leave: one process in each bucket may have a turn that Discord has not counted yet. */
  const reserve = (): number => Math.max(RESERVE, maxConcurrency);

  /** Whether the other processes could use up the remaining logins before Discord is asked again. */
  const isScarce = (): boolean => loginsLeft < reserve() + (maxConcurrency * REMEMBER_MS) / APART_MS;

  function noteExhaustion(total: number, resetAfterMs: number): void {
    const wasExhausted = isExhausted;
    isExhausted = loginsLeft <= reserve();
    if (isExhausted && !wasExhausted) {
      const until = new Date(Date.now() + resetAfterMs).toISOString();
      log.error({ until, total }, "daily logins used up");
      announce(
        `Discord allows this bot ${total} gateway logins in 24 hours, and no more than ${reserve()} are left. Shards that need a new login wait until ${until}.`,
      );
    } else if (wasExhausted && !isExhausted) {
      log.info({ left: loginsLeft }, "daily logins available again");
    }
  }

  /** Takes a turn, and releases it if it came too late or if no login is left. Returns whether this process has the turn. */
  async function takeTurn(shard: number, signal: AbortSignal): Promise<boolean> {
    const sinceMs = performance.now();
    if (!(await leases.takeIdentify(bucketOf(shard), holderOf(shard), TURN_MS))) {
      return false;
    }
    if (isScarce()) {
      await readLimit(0, signal);
    }
    if (!isExhausted && performance.now() - sinceMs < MAX_LATENESS_MS) {
      return true;
    }
    await leases.endIdentify(bucketOf(shard), holderOf(shard), 0);
    return false;
  }

  /** As `takeTurn`, but returns `false` if the database does not answer. That is logged once until it answers again. */
  async function tryTurn(shard: number, signal: AbortSignal): Promise<boolean> {
    try {
      const isTaken = await takeTurn(shard, signal);
      if (isFailing) {
        isFailing = false;
        log.info({}, "turns to identify available again");
      }
      return isTaken;
    } catch (error) {
      if (!isFailing && !signal.aborted) {
        isFailing = true;
        log.warn({ error, shard }, "turn to identify not taken");
      }
      return false;
    }
  }

  async function waitForTurn(shard: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      await readLimit(REMEMBER_MS, signal);
      signal.throwIfAborted();
      if (!isExhausted && (await tryTurn(shard, signal))) {
        signal.throwIfAborted();
        loginsLeft -= 1;
        return;
      }
      await wait(isExhausted ? REMEMBER_MS : ASK_EVERY_MS, undefined, { signal });
    }
  }

  return {
    isWaitingForLogin: () => isExhausted && waiting > 0,
    async waitForIdentify(shard, signal) {
      await readLimit(REMEMBER_MS, signal);
      waiting += 1;
      try {
        await queue(String(bucketOf(shard)), () => waitForTurn(shard, signal));
      } finally {
        waiting -= 1;
      }
    },
  };
}
