// Ensures that work runs at most once or at most once at a time, or counts what is running.
import pLimit, { type LimitFunction } from "p-limit";
import { setImmediate } from "node:timers/promises";
import { type Clock, waitAtMost } from "./clock.ts";

/** Runs the work of each key one after the other, in the order in which it arrives. */
export function createKeyedQueue() {
  /** Contains only keys that have work. */
  const limits = new Map<string, LimitFunction>();

  return async <T>(key: string, act: () => Promise<T>): Promise<T> => {
    const limit = limits.get(key) ?? pLimit(1);
    limits.set(key, limit);
    try {
      return await limit(act);
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) {
        limits.delete(key);
      }
    }
  };
}

/** Returns a function that loads something at the first call, or again if that failed. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/** `join` begins a run, or joins the run in progress. Only the call that begins a run gets its progress. */
export function createRuns(run: (progress: () => void) => Promise<void>) {
  let underWay: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function join(progress: () => void = () => undefined): Promise<void> {
    underWay ??= run(progress).finally(() => {
      underWay = undefined;
    });
    return underWay;
  }

  /** Resolves when no run is in progress. */
  const ended = async (): Promise<void> => underWay?.catch(() => undefined);

  /** A run that begins now or later, because the current one may have missed newer work. Calls until then share it. */
  function again(): Promise<void> {
    if (underWay === undefined) {
      return join();
    }
    next ??= ended().then(() => {
      next = undefined;
      return join();
    });
    return next;
  }

  return { join, again, ended };
}

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
