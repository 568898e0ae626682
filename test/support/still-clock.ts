// A clock for tests of one part: it stands still until it is turned by hand.
import type { Clock } from "../../src/core/clock.ts";

/** A clock that only moves when told to. */
export interface StillClock extends Clock {
  /** Moves time on and calls what falls due on the way, in order. */
  advance(durationMs: number): void;
  /** How long each waiting timer still has, in milliseconds, the soonest first. */
  waits(): number[];
}

/** Makes a clock that stands at `atMs`. */
export function createStillClock(atMs = Date.UTC(2026, 10, 18, 17, 20)): StillClock {
  let nowMs = atMs;
  const timers = new Set<{ readonly dueMs: number; readonly callback: () => void }>();
  const inOrder = () => [...timers].toSorted((a, b) => a.dueMs - b.dueMs);

  return {
    now: () => nowMs,
    after(delayMs, callback) {
      const timer = { dueMs: nowMs + delayMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(durationMs) {
      const endMs = nowMs + durationMs;
      for (let next = inOrder()[0]; next && next.dueMs <= endMs; next = inOrder()[0]) {
        nowMs = Math.max(nowMs, next.dueMs);
        timers.delete(next);
        next.callback();
      }
      nowMs = endMs;
    },
    waits: () => inOrder().map(({ dueMs }) => dueMs - nowMs),
  };
}
