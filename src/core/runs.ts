// Ensures that work runs at most once, or at most once at a time. The work may reject.
import pLimit, { type LimitFunction } from "p-limit";

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
