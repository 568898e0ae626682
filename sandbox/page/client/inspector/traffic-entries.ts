// Merges and filters the traffic between the bot and the local Discord. Pure.
import type { TrafficEntry } from "../../../control/api/traffic.ts";

/** The number of entries that the sandbox stores. */
const MAX_ENTRIES = 500;

/** Returns each entry once, oldest first. If an entry is in both lists, the one from `news` counts. */
export function mergeTraffic(
  known: readonly TrafficEntry[],
  news: readonly TrafficEntry[],
): readonly TrafficEntry[] {
  const byId = new Map([...known, ...news].map((entry) => [entry.id, entry]));
  return [...byId.values()].toSorted((a, b) => a.id - b.id).slice(-MAX_ENTRIES);
}

/**
 * Returns the entries in which every word occurs, in any case. It searches `rest` or `gateway`, method, path or event, status,
 * the interaction's id, and each finding, e.g. `error`.
 */
export function filterTraffic(entries: readonly TrafficEntry[], words: string): readonly TrafficEntry[] {
  const wanted = words.toLowerCase().split(/\s+/);
  return entries.filter((entry) => {
    const own =
      entry.kind === "rest"
        ? [entry.method, entry.route, entry.path, entry.state, entry.status]
        : [entry.direction, entry.name];
    const found = entry.findings.flatMap((finding) => Object.values(finding));
    const text = [entry.kind, ...own, ...found, entry.interactionId].join(" ").toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
