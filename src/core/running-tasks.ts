// Work that goes on side by side.
import { setImmediate } from "node:timers/promises";
import { type Clock, waitAtMost } from "./clock.ts";

export type RunningTasks = ReturnType<typeof createRunningTasks>;

/** Pieces of work that nobody waits for one by one; none at first. */
export function createRunningTasks(clock: Clock) {
  /** When each was begun, the oldest first. */
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
    /** For how long the oldest piece has been under way; 0 without any. */
    longestMs(): number {
      const [oldestMs] = begunAtMs.values();
      return oldestMs === undefined ? 0 : clock.elapsed() - oldestMs;
    },
    /** Takes in a piece of work, which never rejects. */
    add(work: Promise<void>): void {
      begunAtMs.set(work, clock.elapsed());
      void work.finally(() => {
        begunAtMs.delete(work);
        endWaits();
      });
    },
    /** Resolves as soon as at most `target` pieces are left, at the latest after `maxWaitMs` on the clock, which may be none. */
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

// Boards that come together would be worked out, and their pictures drawn, in one go of several seconds, in which
// nobody who presses a button is answered.

/** What it returns settles when its turn has come: the process has looked after everything else since the turn before. */
export function createStartQueue() {
  let last: Promise<void> = Promise.resolve();
  return (): Promise<void> => {
    last = last.then(() => setImmediate());
    return last;
  };
}

export function chunk<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
