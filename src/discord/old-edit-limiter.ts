import { SnowflakeUtil } from "discord.js";
import { LRUCache } from "lru-cache";
import { type Clock, sleep } from "../core/clock.ts";
import type { PostedMessage } from "../core/ports.ts";
import { type LimiterTime, NotSentError } from "./rate-limiter.ts";

/** Undocumented. Half a second more than was observed, because edits take different times to arrive. */
const WINDOW_MS = 6_500;
const MAX_EDITS = 3;
/** A longer wait would take a turn that comes after the edit has expired, and a place from other channels' boards. */
const MAX_WAIT_MS = 2 * WINDOW_MS;
/** Beyond this, the least recently used channel is forgotten, and its next edit may come too early and get a 429. */
const MAX_CHANNELS = 1_000;
/** A minute less than an hour, because the message ages while its edit waits. */
const OLD_AFTER_MS = 59 * 60_000;

/**
 * Limits the edits of messages older than an hour. Discord accepts about three in six seconds per channel and answers
 * the fourth with a 429 (30046), which would delay the channel's new messages too. Returns a function that resolves
 * when a message may be edited; immediately if it is newer. Throws a NotSentError if that is too far away. `clock` is
 * used for a message's age, `time` for the waits.
 */
export function createOldEditLimiter(
  clock: Pick<Clock, "now">,
  time: LimiterTime,
): (message: PostedMessage, signal: AbortSignal) => Promise<void> {
  /** The times of the last edits in each channel. */
  const turnsMs = new LRUCache<string, readonly number[]>({ max: MAX_CHANNELS });

  return async ({ channelId, messageId }, signal) => {
    if (clock.now() - SnowflakeUtil.timestampFrom(messageId) < OLD_AFTER_MS) {
      return;
    }
    const nowMs = time.now();
    const turns = turnsMs.get(channelId) ?? [];
    const turnMs = Math.max(nowMs, (turns.at(-MAX_EDITS) ?? -Infinity) + WINDOW_MS);
    if (turnMs - nowMs > MAX_WAIT_MS) {
      throw new NotSentError("too many old messages to edit in this channel", turnMs - nowMs);
    }
    turnsMs.set(channelId, [...turns, turnMs].slice(-MAX_EDITS));
    if (turnMs > nowMs) {
      await sleep(time, turnMs - nowMs, signal);
    }
  };
}
