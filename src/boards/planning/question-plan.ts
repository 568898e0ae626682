// How a plan's calls are shared among the questions of boards, and when each question's turn comes.
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
  // What the rate limiter lets through at once counts too.
  const slower = (windowMs + CATCH_UP_MS) / windowMs;
  return { shares, spacingMs: slower / callsPerMs };
}

/** Slots are whole numbers; shares are sums of fractions. */
const ROUNDING = 1e-6;

/** Somebody who wants some of it. */
export interface Demand {
  /** The most that is of use; not negative. */
  readonly most: number;
  /** How much louder than others it counts; above 0. */
  readonly weight: number;
}

/**
 * Weighted max-min fairness, in the order of `demands`: who wants little gets all of it; what is left is shared by
 * weight among those who want more. Adds up to `amount`, or to all that is wanted where that is less.
 */
export function fairShares(demands: readonly Demand[], amount: number): readonly number[] {
  // Who is satisfied most easily comes first: then all who come after want at least their part of what is left.
  const inOrder = demands
    .map((demand, index) => ({ ...demand, index }))
    .toSorted((a, b) => a.most / a.weight - b.most / b.weight);
  const shares = demands.map(() => 0);
  let left = amount;
  let weightLeft = inOrder.reduceRight((sum, { weight }) => sum + weight, 0);
  for (const { most, weight, index } of inOrder) {
    const share = Math.min(most, left, (left * weight) / Math.max(weight, weightLeft));
    shares[index] = share;
    left -= share;
    weightLeft -= weight;
  }
  return shares;
}

/** How much of the past may be made up for: three ticks, so that a tick does not lose what lies before it. */
export const CATCH_UP_MS = 30_000;

export type CallRateLimiter = ReturnType<typeof createCallRateLimiter>;

/**
 * Lets calls go at an even rate, with a few at once where some were not used: a token bucket, filled as time passes.
 * `lastMs`: when the last call went; `spacingMs`: how far apart they lie at present. In any span there are at most as many calls as `spacingMs` fits into
 * the span and {@link CATCH_UP_MS} together, rounded up.
 */
export function createCallRateLimiter(lastMs: number) {
  let tokens = 0;
  let filledAtMs = lastMs;

  function fill(nowMs: number, spacingMs: number): void {
    const most = 1 + CATCH_UP_MS / spacingMs;
    tokens = Math.min(most, tokens + Math.max(0, nowMs - filledAtMs) / spacingMs);
    filledAtMs = nowMs;
  }

  return {
    /** Whether one more call may go now; counts it if so. */
    take(nowMs: number, spacingMs: number): boolean {
      fill(nowMs, spacingMs);
      const isFull = tokens >= 1 - TOKEN_ROUNDING;
      tokens -= isFull ? 1 : 0;
      return isFull;
    },

    /** One call that was taken did not go. */
    giveBack(): void {
      tokens += 1;
    },

    /** When the next call may go. */
    nextAtMs(nowMs: number, spacingMs: number): number {
      fill(nowMs, spacingMs);
      return tokens >= 1 ? nowMs : nowMs + (1 - tokens) * spacingMs;
    },
  };
}

/** Ten tenths of a token are a token. */
const TOKEN_ROUNDING = 1e-9;
