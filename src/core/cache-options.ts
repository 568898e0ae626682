// Options for caches that are seldom full, and for those whose entries have a life.
import type { Clock } from "./clock.ts";

/**
 * Options for an LRUCache of up to `most` entries that takes memory only as it fills. With `max`, it allocates everything at
 * once: the caches of an idle bot took 3 MB, and 13 ms of its start.
 */
export function limitEntries(most: number) {
  return { maxSize: most, sizeCalculation: () => 1 };
}

/** Options for an LRUCache with a `ttl` that passes on a clock, whatever becomes of the time of day. */
export function ttlByClock(clock: Pick<Clock, "elapsed">) {
  // An entry of the moment 0 would have no age.
  return { perf: { now: () => 1 + clock.elapsed() }, ttlResolution: 0 };
}
