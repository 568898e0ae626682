// Lets calls go at an even pace, with a few at once where some were not used: a token bucket, filled as time passes.

/** How much of the past may be made up for: three ticks, so that a tick does not lose what lies before it. */
export const PACE_DEPTH_MS = 30_000;

/** The pace of the calls of one plan. `spacingMs` is how far apart they lie at present. */
export interface CallPace {
  /** Whether one more call may go now; counts it if so. */
  take(nowMs: number, spacingMs: number): boolean;
  /** One call that was taken did not go. */
  giveBack(): void;
  /** When the next call may go. */
  nextAtMs(nowMs: number, spacingMs: number): number;
}

/**
 * Makes a pace whose last call went at `lastMs`. In any span there are at most as many calls as `spacingMs` fits into
 * the span and {@link PACE_DEPTH_MS} together, rounded up.
 */
export function createCallPace(lastMs: number): CallPace {
  let tokens = 0;
  let filledAtMs = lastMs;

  function fill(nowMs: number, spacingMs: number): void {
    const most = 1 + PACE_DEPTH_MS / spacingMs;
    tokens = Math.min(most, tokens + Math.max(0, nowMs - filledAtMs) / spacingMs);
    filledAtMs = nowMs;
  }

  return {
    take(nowMs, spacingMs) {
      fill(nowMs, spacingMs);
      const isFull = tokens >= 1 - ROUNDING;
      tokens -= isFull ? 1 : 0;
      return isFull;
    },
    giveBack() {
      tokens += 1;
    },
    nextAtMs(nowMs, spacingMs) {
      fill(nowMs, spacingMs);
      return tokens >= 1 ? nowMs : nowMs + (1 - tokens) * spacingMs;
    },
  };
}

/** Ten tenths of a token are a token. */
const ROUNDING = 1e-9;
