// One list of what was said, made of several. Pure.
import type { TrafficEntry } from "../../../../control/api/traffic.ts";

/** As many as the sandbox keeps. */
const KEPT = 500;

/** Oldest first, each once: of two states of an entry the one of `news` counts. */
export function mergeTraffic(
  known: readonly TrafficEntry[],
  news: readonly TrafficEntry[],
): readonly TrafficEntry[] {
  if (news.length === 0) {
    return known;
  }
  const byId = new Map([...known, ...news].map((entry) => [entry.id, entry]));
  return [...byId.values()].toSorted((a, b) => a.id - b.id).slice(-KEPT);
}
