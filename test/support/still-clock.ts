// A clock for tests of one part: it stands still until it is turned by hand.
import type { Clock } from "../../src/core/clock.ts";

/** A clock that only moves when told to. */
export interface StillClock extends Clock {
  /** Moves time on and calls what falls due on the way, in order. */
  advance(durationMs: number): void;
  /** Shows another time, as if somebody had set the machine's clock: no time passes. */
  jump(deltaMs: number): void;
  /** How long each waiting timer still has, in milliseconds, the soonest first. */
  waits(): number[];
}

/** Makes a clock that stands at `atMs`. */
export function createStillClock(atMs = Date.UTC(2026, 10, 18, 17, 20)): StillClock {
  let passedMs = 0;
  let jumpedMs = 0;
  const timers = new Set<{ readonly dueMs: number; readonly callback: () => void }>();
  const inOrder = () => [...timers].toSorted((a, b) => a.dueMs - b.dueMs);

  return {
    now: () => atMs + jumpedMs + passedMs,
    elapsed: () => passedMs,
    after(delayMs, callback) {
      const timer = { dueMs: passedMs + delayMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(durationMs) {
      const endMs = passedMs + durationMs;
      for (let next = inOrder()[0]; next && next.dueMs <= endMs; next = inOrder()[0]) {
        passedMs = Math.max(passedMs, next.dueMs);
        timers.delete(next);
        next.callback();
      }
      passedMs = endMs;
    },
    jump(deltaMs) {
      jumpedMs += deltaMs;
    },
    waits: () => inOrder().map(({ dueMs }) => dueMs - passedMs),
  };
}
