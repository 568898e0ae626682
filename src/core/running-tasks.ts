import { setImmediate } from "node:timers/promises";
import { type Clock, waitAtMost } from "./clock.ts";

export type RunningTasks = ReturnType<typeof createRunningTasks>;

/** A set of running tasks that are not awaited one by one. */
export function createRunningTasks(clock: Clock) {
  /** When each task began, in elapsed milliseconds, oldest first. */
  const begunAtMs = new Map<Promise<void>, number>();
  const waiting = new Set<{ readonly target: number; readonly resolve: () => void }>();

  function endWaits(): void {
    for (const each of waiting) {
      if (begunAtMs.size <= each.target) {
        waiting.delete(each);
        each.resolve();
      }
    }
  }

  return {
    get size(): number {
      return begunAtMs.size;
    },
    /** How long the oldest task has been running, in milliseconds; 0 if there is none. */
    longestMs(): number {
      const [oldestMs] = begunAtMs.values();
      return oldestMs === undefined ? 0 : clock.elapsed() - oldestMs;
    },
    /** Adds a task, which must never reject. */
    add(work: Promise<void>): void {
      begunAtMs.set(work, clock.elapsed());
      void work.finally(() => {
        begunAtMs.delete(work);
        endWaits();
      });
    },
    /** Also resolves after `maxWaitMs` on the clock; immediately if that is 0 or less. */
    async waitUntilAtMost(target: number, maxWaitMs: number): Promise<void> {
      if (maxWaitMs > 0) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const wait = { target, resolve };
        waiting.add(wait);
        endWaits();
        await waitAtMost(clock, maxWaitMs, promise, undefined);
        waiting.delete(wait);
      }
    },
  };
}

/**
 * Its promises resolve one by one; in between, all other events are handled. Preparing many boards in one go would take
 * seconds, during which nobody who presses a button would be answered.
 */
export function createStartQueue() {
  let last: Promise<void> = Promise.resolve();
  return (): Promise<void> => {
    last = last.then(() => setImmediate());
    return last;
  };
}
