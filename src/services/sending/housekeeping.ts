// What a tick does once a minute beside what is due.
import type { Clock } from "../../core/clock.ts";

/** What is done. `isAnew`: what depends on the clock may be wrong, and has to be worked out anew. */
export type KeepHouse = (nowMs: number, isAnew: boolean) => Promise<void>;

const EVERY_MS = 60_000;
/** The clock was far off, or is; this process has just started; or another one did the work for a while. */
const LEAP_MS = 5 * 60_000;

/** Makes what a tick calls first. After a leap of the clock it is done anew twice: some work may still be under way. */
export function createHousekeeping(clock: Clock, keep: KeepHouse): () => Promise<void> {
  let keptAtMs = -Infinity;
  let anew = 0;
  return async () => {
    const nowMs = clock.now();
    const gapMs = Math.abs(nowMs - keptAtMs);
    if (gapMs < EVERY_MS) {
      return;
    }
    anew = gapMs > LEAP_MS ? 2 : anew;
    await keep(nowMs, anew > 0);
    anew = Math.max(0, anew - 1);
    keptAtMs = nowMs;
  };
}
