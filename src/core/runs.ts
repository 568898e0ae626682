// Work of which there is never more than one piece at a time. It may reject.
import { LRUCache } from "lru-cache";
import pLimit, { type LimitFunction } from "p-limit";
import { growingTo } from "./growing-cache.ts";

/** Many more keys than have work at one moment. */
const MOST_KEYS = 1_000;

/** Lets work go one piece after the other for each key, in the order in which it comes. */
export function createTurns() {
  const limits = new LRUCache<string, LimitFunction>({
    ...growingTo(MOST_KEYS),
    memoMethod: () => pLimit(1),
  });
  return <T>(key: string, act: () => Promise<T>): Promise<T> => limits.memo(key)(act);
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
