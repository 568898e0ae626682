// Which entries a person wants to see. Pure.
import type { TrafficEntry } from "../../../../control/api/traffic.ts";

export const TRAFFIC_KINDS = ["all", "rest", "gateway", "findings"] as const;

export interface TrafficFilter {
  readonly kind: (typeof TRAFFIC_KINDS)[number];
  /** All of its words must stand somewhere in what is said of an entry. */
  readonly words: string;
  /** Only what belongs to this interaction. */
  readonly interactionId: string | undefined;
}

export function filterTraffic(
  entries: readonly TrafficEntry[],
  { kind, words, interactionId }: TrafficFilter,
): readonly TrafficEntry[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(
    (entry) =>
      isOfKind(entry, kind) &&
      (interactionId === undefined || entry.interactionId === interactionId) &&
      (wanted.length === 0 || hasWords(entry, wanted)),
  );
}

function isOfKind(entry: TrafficEntry, kind: TrafficFilter["kind"]): boolean {
  switch (kind) {
    case "all":
      return true;
    case "findings":
      return entry.findings.length > 0;
    case "rest":
    case "gateway":
      return entry.kind === kind;
  }
}

function hasWords(entry: TrafficEntry, wanted: readonly string[]): boolean {
  const own =
    entry.kind === "rest"
      ? [entry.method, entry.route, entry.path, entry.state, String(entry.status ?? "")]
      : [entry.name, entry.direction];
  const found = entry.findings.flatMap(({ code, message, place }) => [code, message, place ?? ""]);
  const said = [...own, ...found, entry.interactionId ?? ""].join(" ").toLowerCase();
  return wanted.every((word) => said.includes(word));
}
