// The account's plan: this many hits in a window that turns when it turns, not when the caller's hour does.
import type { Clock } from "../clock/clock.ts";
import { hash } from "./railway/chance.ts";

export interface PlanTerms {
  /** Hits that a window allows. */
  readonly limit: number;
  readonly windowMs: number;
}

/** The specification's free plan. */
const FREE_PLAN: PlanTerms = { limit: 1_000, windowMs: 3_600_000 };

/** Windows turn at an offset that follows from the seed. */
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
    /** Hits received in the present window, refused ones too. */
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
    /** When the present window ends, in milliseconds since the Unix epoch. */
    get windowEndsAt() {
      startWindowIfDue();
      return windowEndsAt;
    },
    /** Changes the terms; what was used in the present window stays used. */
    set(changed: Partial<PlanTerms>) {
      startWindowIfDue();
      limit = changed.limit ?? limit;
      windowMs = changed.windowMs ?? windowMs;
      windowEndsAt = currentWindowEnd();
    },
    /** Counts a hit on receipt; tells whether the plan allows it. */
    take(weight: number) {
      startWindowIfDue();
      used += weight;
      return used <= limit;
    },
  };
}
