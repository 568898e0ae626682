// Discord's limit for edits of messages older than an hour.
import { SnowflakeUtil } from "discord.js";
import { LRUCache } from "lru-cache";
import { type Clock, sleep } from "../core/clock.ts";
import type { PostedMessage } from "../core/ports.ts";
import type { LimiterTime } from "./rate-limiter.ts";

/** Undocumented; half a second more than has been seen, as not every edit takes the same time to arrive. */
const WINDOW_MS = 6_500;
const MAX_EDITS = 3;
/** Of more, the one asked for longest ago is forgotten. If edits still wait there, the next may go too early and meet a 429. */
const MAX_CHANNELS = 1_000;
/** A minute less than the hour: the message ages while its edit waits. */
const OLD_AFTER_MS = 59 * 60_000;

/**
 * Limits the edits of messages older than an hour. Discord takes about three in six seconds per channel and answers the
 * fourth with a 429 (30046), which would delay the channel's new messages too. Returns a function that resolves when
 * a message may be edited; at once for a young one. `clock` tells a message's age.
 */
export function createOldEditLimiter({
  clock,
  time,
}: {
  readonly clock: Clock;
  readonly time: LimiterTime;
}): (message: PostedMessage, signal: AbortSignal) => Promise<void> {
  /** The last turns in each channel. */
  const turnsMs = new LRUCache<string, readonly number[]>({ max: MAX_CHANNELS });

  return async ({ channelId, messageId }, signal) => {
    if (clock.now() - SnowflakeUtil.timestampFrom(messageId) < OLD_AFTER_MS) {
      return;
    }
    const nowMs = time.now();
    const turns = turnsMs.get(channelId) ?? [];
    const turnMs = Math.max(nowMs, (turns.at(-MAX_EDITS) ?? -Infinity) + WINDOW_MS);
    turnsMs.set(channelId, [...turns, turnMs].slice(-MAX_EDITS));
    if (turnMs > nowMs) {
      await sleep(time, turnMs - nowMs, signal);
    }
  };
}
