// How a plan's calls are shared among the questions of boards, and when each question's turn comes.
import { PACE_DEPTH_MS } from "./call-pace.ts";
import { fairShares } from "./fair-shares.ts";
import type { QuestionDemand } from "./question-demand.ts";

/** What a question wants, and what has been done for it. */
export interface PlannedQuestion extends QuestionDemand {
  readonly key: string;
  /** How much it counts beside others; see {@link questionWeight}. */
  readonly weight: number;
}

/** What boards may spend. */
export interface PlanTerms {
  readonly calls: number;
  readonly windowMs: number;
}

/** How often a question may be asked. */
export interface QuestionShare {
  /** Calls in a window. */
  readonly rate: number;
  /** Whether that is all it wants: then it is asked whenever it is wanted, and waits for nobody. */
  readonly isEnough: boolean;
  /** Otherwise: how long after one call its next turn comes. Infinity for a question that nobody wants. */
  readonly intervalMs: number;
  readonly isActive: boolean;
}

/** Who may ask how often. */
export interface QuestionPlan {
  readonly shares: ReadonlyMap<string, QuestionShare>;
  /** How far apart the calls of all without enough lie at present, so that they do not come in heaps; or Infinity. */
  readonly spacingMs: number;
}

/** A question that somebody took an interest in, one whose station sleeps, and all others. */
export function questionWeight({
  isOfInterest,
  isAsleep,
}: {
  readonly isOfInterest: boolean;
  readonly isAsleep: boolean;
}): number {
  return isOfInterest ? 3 : isAsleep ? 0.25 : 1;
}

/**
 * Shares `calls` fairly. A question's part is spread over the time for which it is wanted, not over the whole window:
 * a board of the morning has its calls in the morning.
 */
export function planQuestions(
  questions: readonly PlannedQuestion[],
  { calls, windowMs }: PlanTerms,
): QuestionPlan {
  const rates = fairShares(
    questions.map(({ slots, weight }) => ({ most: slots, weight })),
    calls,
  );
  const shares = new Map<string, QuestionShare>();
  let callsPerMs = 0;
  for (const [index, { key, slots, activeMs, isActive }] of questions.entries()) {
    const rate = rates[index] ?? 0;
    const isEnough = rate >= slots - ROUNDING;
    const intervalMs = rate > 0 ? Math.min(activeMs, windowMs) / rate : Infinity;
    shares.set(key, { rate, isEnough, intervalMs, isActive });
    callsPerMs += !isEnough && isActive ? 1 / intervalMs : 0;
  }
  // What the pace lets through at once counts too.
  const slower = (windowMs + PACE_DEPTH_MS) / windowMs;
  return { shares, spacingMs: slower / callsPerMs };
}

/** Slots are whole numbers; shares are sums of fractions. */
const ROUNDING = 1e-6;
