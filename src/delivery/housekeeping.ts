// What a tick does now and then beside what is due.
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";

/** What is done. `isAnew`: what depends on the clock may be wrong, and has to be worked out anew. */
export type KeepHouse = (nowMs: number, isAnew: boolean) => Promise<void>;

/** What maintenance is made with. */
export interface HousekeepingOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Whose maintenance it is, for the log: `boards`. */
  readonly of: string;
  /** Default a minute. */
  readonly everyMs?: number;
}

const EVERY_MS = 60_000;
/** How long after a failure it is tried again. */
const RETRY_MS = 10_000;
/** The clock was far off, or is; this process has just started; or another one did the work for a while. */
const LEAP_MS = 5 * 60_000;

/**
 * Makes what a tick calls first. It never rejects: a failure is logged and tried again soon, and what is due goes on
 * meanwhile. After a leap of the clock it is done anew twice: some work may still be under way.
 */
export function createHousekeeping(
  { clock, log, of, everyMs = EVERY_MS }: HousekeepingOptions,
  keep: KeepHouse,
): () => Promise<void> {
  let keptAtMs = -Infinity;
  let failedAtMs = -Infinity;
  let anew = 0;
  return async () => {
    const nowMs = clock.now();
    const gapMs = Math.abs(nowMs - keptAtMs);
    if (gapMs < everyMs || Math.abs(nowMs - failedAtMs) < RETRY_MS) {
      return;
    }
    anew = gapMs > LEAP_MS ? 2 : anew;
    try {
      await keep(nowMs, anew > 0);
    } catch (error) {
      failedAtMs = nowMs;
      log.error({ error, of }, "maintenance failed");
      return;
    }
    anew = Math.max(0, anew - 1);
    keptAtMs = nowMs;
  };
}
