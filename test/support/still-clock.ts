// A clock for tests of one module: it moves only when a test advances it.
import type { Clock } from "../../src/core/clock.ts";

/** A clock that moves only when told to. */
export interface StillClock extends Clock {
  /** Advances time and runs the timers that fall due, in order. */
  advance(durationMs: number): void;
  /** Shows another time, as if somebody had set the machine's clock; no time passes. */
  jump(deltaMs: number): void;
  /** The remaining milliseconds of each timer, soonest first. */
  waits(): number[];
}

/** Creates a clock that shows `atMs`. */
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
