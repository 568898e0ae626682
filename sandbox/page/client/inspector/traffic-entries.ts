// The list of what was said: put together of several, and filtered. Pure.
import type { TrafficEntry } from "../../../control/api/traffic.ts";

/** As many as the sandbox keeps. */
const MAX_ENTRIES = 500;

/** Oldest first, each once: of two states of an entry the one of `news` counts. */
export function mergeTraffic(
  known: readonly TrafficEntry[],
  news: readonly TrafficEntry[],
): readonly TrafficEntry[] {
  const byId = new Map([...known, ...news].map((entry) => [entry.id, entry]));
  return [...byId.values()].toSorted((a, b) => a.id - b.id).slice(-MAX_ENTRIES);
}

/**
 * Those of which all these words are said somewhere: `rest` or `gateway`, method, path or event, status, interaction, and
 * each finding, e.g. `error`.
 */
export function filterTraffic(entries: readonly TrafficEntry[], words: string): readonly TrafficEntry[] {
  const wanted = words.toLowerCase().split(/\s+/);
  return entries.filter((entry) => {
    const own =
      entry.kind === "rest"
        ? [entry.method, entry.route, entry.path, entry.state, entry.status]
        : [entry.direction, entry.name];
    const found = entry.findings.flatMap((finding) => Object.values(finding));
    const said = [entry.kind, ...own, ...found, entry.interactionId].join(" ").toLowerCase();
    return wanted.every((word) => said.includes(word));
  });
}
