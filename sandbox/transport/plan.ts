// The account's plan: a number of hits in each window. Windows do not begin on the hour.
import type { Clock } from "../clock/clock.ts";
import { hash } from "./railway/chance.ts";

export interface PlanTerms {
  readonly limit: number;
  readonly windowMs: number;
}

/** The specification's free plan. */
const FREE_PLAN: PlanTerms = { limit: 1_000, windowMs: 3_600_000 };

/** The seed decides at which offset from the hour windows begin. */
export function createPlan(clock: Clock, seed: number, terms: Partial<PlanTerms> = {}) {
  let { limit, windowMs } = { ...FREE_PLAN, ...terms };
  let windowEndsAt = currentWindowEnd();
  let used = 0;

  function currentWindowEnd(): number {
    const offsetMs = hash(seed, "plan") % windowMs;
    return (Math.floor((clock.now() - offsetMs) / windowMs) + 1) * windowMs + offsetMs;
  }

  function startWindowIfDue(): void {
    const next = currentWindowEnd();
    if (next !== windowEndsAt) {
      windowEndsAt = next;
      used = 0;
    }
  }

  return {
    /** Includes refused hits. */
    get used() {
      startWindowIfDue();
      return used;
    },
    get limit() {
      return limit;
    },
    get windowMs() {
      return windowMs;
    },
    /** In milliseconds since the Unix epoch. */
    get windowEndsAt() {
      startWindowIfDue();
      return windowEndsAt;
    },
    /** The hits in the current window still count. */
    set(changed: Partial<PlanTerms>) {
      startWindowIfDue();
      limit = changed.limit ?? limit;
      windowMs = changed.windowMs ?? windowMs;
      windowEndsAt = currentWindowEnd();
    },
    /** Counts a request that costs `weight` hits. Returns whether the plan allows it. */
    take(weight: number) {
      startWindowIfDue();
      used += weight;
      return used <= limit;
    },
  };
}
