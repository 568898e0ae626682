// Judges one day of a watched line: pure functions.
import type { KnownNetwork } from "./network-status.ts";
import type { NetworkEntry } from "../sources/transport-data.ts";
import type { IncidentKnowledge, LineKnowledge } from "./train-knowledge.ts";
import type { IncidentJudging, Judgement } from "./judge-incident.ts";
import type { WatchedLine } from "./watches.ts";

const ALL_WELL: LineKnowledge = { states: [], reasons: [] };
const NO_TROUBLE = /^(?:service closed|no step free access|information)$/i;

/** Updates what is known from an answer within the watch's hours; returns `known` itself if nothing is new. */
export function judgeLine(
  known: IncidentKnowledge,
  { line: id }: WatchedLine,
  { window, network, nowMs }: Pick<IncidentJudging, "window" | "network" | "nowMs">,
): Judgement {
  const isOver = nowMs > window.lastMs;
  const before = known.line ?? ALL_WELL;
  const own = isOver ? [] : (network?.entries ?? []).filter(({ line }) => line === id);
  const line = own.length === 0 ? before : troublesOf(own);
  const isChanged = JSON.stringify(line) !== JSON.stringify(before);
  return {
    // A newer time alone is not worth a write every minute.
    knowledge: isChanged ? { ...known, line, dataMs: network?.dataMs ?? known.dataMs } : known,
    trains: [],
    line,
    isOver,
  };
}

/** Not every state is worth an alert: lines close every night, and a lift out of order delays nobody. */
export function isTrouble({ isDisrupted, state = "" }: NetworkEntry): boolean {
  return isDisrupted && !NO_TROUBLE.test(state);
}

function troublesOf(entries: KnownNetwork["entries"]): LineKnowledge {
  const troubles = entries.filter(isTrouble);
  return {
    states: distinct(troubles.map(({ state }) => state ?? "Disrupted")),
    reasons: distinct(troubles.map(({ description }) => description)),
  };
}

export function distinct(texts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== undefined))];
}
