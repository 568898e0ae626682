// Work of which there is never more than one piece at a time. It may reject.
import pLimit, { type LimitFunction } from "p-limit";

/** Lets work go one piece after the other for each key, in the order in which it comes. */
export function createKeyedQueue() {
  /** Of the keys that have work. */
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

/** `join` begins a run, or joins the one under way; only the call that begins it hears of its progress. */
export function createRuns(run: (progress: () => void) => Promise<void>) {
  let underWay: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function join(progress: () => void = () => undefined): Promise<void> {
    underWay ??= run(progress).finally(() => {
      underWay = undefined;
    });
    return underWay;
  }

  /** Resolves when no run is under way. */
  const ended = async (): Promise<void> => underWay?.catch(() => undefined);

  /** Runs from now on: a run under way may have passed over what is due since. Calls meanwhile share the next run. */
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
