// The maintenance that a tick does now and then beside what is due.
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";

const EVERY_MS = 60_000;
/** How long after a failure it is tried again. */
const RETRY_MS = 10_000;
/** The clock was far off, or is; this process has just started; or another one did the work for a while. */
const JUMP_MS = 5 * 60_000;

/**
 * Makes the maintenance that a tick calls first. It never rejects: a failure is logged and tried again soon, and what is
 * due goes on meanwhile. `isAfterJump`: times that were worked out by the clock may be wrong. That is said twice after a
 * jump: some work may still be under way. `of`: whose maintenance it is, for the log.
 */
export function createMaintenance(
  { clock, log, of }: { clock: Clock; log: Log; of: string },
  maintain: (nowMs: number, isAfterJump: boolean) => Promise<void>,
): () => Promise<void> {
  let doneAtMs = -Infinity;
  let failedAtMs = -Infinity;
  let runsAfterJump = 0;
  return async () => {
    const nowMs = clock.now();
    const gapMs = Math.abs(nowMs - doneAtMs);
    if (gapMs < EVERY_MS || Math.abs(nowMs - failedAtMs) < RETRY_MS) {
      return;
    }
    runsAfterJump = gapMs > JUMP_MS ? 2 : runsAfterJump;
    try {
      await maintain(nowMs, runsAfterJump > 0);
    } catch (error) {
      failedAtMs = nowMs;
      log.error({ error, of }, "maintenance failed");
      return;
    }
    runsAfterJump = Math.max(0, runsAfterJump - 1);
    doneAtMs = nowMs;
  };
}
