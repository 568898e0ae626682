// discord.js notes by the time of day when a rate limit ends. Once the clock was set back by an hour, every limit that it
// knows seems to last for that hour, the one of 50 requests a second too, and it waits.
import type { REST } from "discord.js";
import { systemClock } from "../core/clock.ts";

/** discord.js waits for most limits longer than this: they are forgotten before it looks at the clock again. */
const LOOK_EVERY_MS = 1_000;
/** A clock that is kept right in small steps is not set. */
const SET_BACK_MS = 1_000;

const aheadOfElapsedMs = (): number => systemClock.now() - systemClock.elapsed();

/** Forgets the limits of a REST when the machine's clock was set back; Discord says again what still holds. Returns what ends it. */
export function forgetLimitsAfterSetBack(rest: REST): () => void {
  let lastMs = aheadOfElapsedMs();

  function look(): boolean {
    const nowMs = aheadOfElapsedMs();
    const isSetBack = nowMs < lastMs - SET_BACK_MS;
    lastMs = nowMs;
    if (isSetBack) {
      rest.globalReset = -1;
      rest.globalDelay = null;
      for (const handler of rest.handlers.values()) {
        // Private in the types; only handlers that wait for limits have it.
        Object.assign(handler, { reset: -1 });
      }
    }
    return isSetBack;
  }

  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  // A request that would wait, by a clock that was set back a moment ago, fails instead: it is sent again.
  rest.options.rejectOnRateLimit ??= look;
  return () => clearInterval(timer);
}
