// Decides when a shard may identify. Several processes share Discord's limits: one for five seconds, one for 24 hours.
// https://discord.com/developers/docs/events/gateway#rate-limiting
import { setTimeout as wait } from "node:timers/promises";
import type { IIdentifyThrottler } from "discord.js";
import type { Log } from "../core/log.ts";
import type { ShardLeasesTable } from "../storage/shard-leases-table.ts";
import type { ShardManager } from "./client.ts";

/** A turn is given up if asking for it took longer than this. */
const MOST_LATE_MS = 500;
/** At least Discord's five seconds, even if one shard identifies late in its turn and the next at once. */
const TURN_MS = 5_000 + MOST_LATE_MS;
const ASK_EVERY_MS = 250;
/** How long Discord's count of remaining logins is used, if it is at least MUCH. */
const REMEMBER_MS = 60_000;
const MUCH = 100;
/** This many logins are never used: Discord resets the token of a bot that identifies too often, and others may identify now. */
const RESERVE = 10;

export function createIdentifyThrottler(
  manager: ShardManager,
  {
    leases,
    holder,
    announce,
    log,
  }: {
    readonly leases: Pick<ShardLeasesTable, "takeIdentify">;
    readonly holder: string;
    readonly announce: (line: string) => void;
    readonly log: Log;
  },
): IIdentifyThrottler {
  /** The last shard in each bucket's queue: one shard asks at a time. */
  const lasts = new Map<number, Promise<void>>();
  let left = 0;
  let askedAtMs = -Infinity;
  let isExhausted = false;

  async function readLimit(): Promise<number> {
    const isOld = performance.now() - askedAtMs > REMEMBER_MS || left < MUCH;
    const { session_start_limit: limit } = await manager.fetchGatewayInformation(isOld);
    if (isOld) {
      askedAtMs = performance.now();
      left = limit.remaining;
      noteExhaustion(limit.total, limit.reset_after);
    }
    return limit.max_concurrency;
  }

  function noteExhaustion(total: number, resetAfterMs: number): void {
    const wasExhausted = isExhausted;
    isExhausted = left <= RESERVE;
    if (isExhausted && !wasExhausted) {
      const until = new Date(Date.now() + resetAfterMs).toISOString();
      log.error({ until, total }, "daily logins used up");
      announce(
        `Discord allows this bot ${total} gateway logins in 24 hours, and they are used up. Shards that need a new login wait until ${until}.`,
      );
    } else if (wasExhausted && !isExhausted) {
      log.info({ left }, "daily logins available again");
    }
  }

  async function takeTurn(shard: number, maxConcurrency: number): Promise<boolean> {
    const sinceMs = performance.now();
    try {
      const isTaken = await leases.takeIdentify(shard % maxConcurrency, holder, TURN_MS);
      return isTaken && performance.now() - sinceMs < MOST_LATE_MS;
    } catch (error) {
      log.warn({ error, shard }, "turn to identify not taken");
      return false;
    }
  }

  async function waitForTurn(shard: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      const maxConcurrency = await readLimit();
      signal.throwIfAborted();
      if (left > RESERVE && (await takeTurn(shard, maxConcurrency))) {
        signal.throwIfAborted();
        left -= 1;
        return;
      }
      await wait(isExhausted ? REMEMBER_MS : ASK_EVERY_MS, undefined, { signal });
    }
  }

  return {
    async waitForIdentify(shard, signal) {
      const bucket = shard % (await readLimit());
      const turn = (lasts.get(bucket) ?? Promise.resolve()).then(() => waitForTurn(shard, signal));
      lasts.set(
        bucket,
        turn.catch(() => undefined),
      );
      await turn;
    },
  };
}
