// Judges one day of a watched line: pure functions.
import type { KnownLines } from "./line-status.ts";
import type { IncidentKnowledge, LineKnowledge } from "./train-knowledge.ts";
import type { IncidentJudging, Judgement } from "./judge-incident.ts";
import type { WatchedLine } from "./watches.ts";

const ALL_WELL: LineKnowledge = { states: [], reasons: [] };
/** States that are not worth an alert: lines close every night, and a lift out of order delays nobody. */
const NO_TROUBLE = /^(?:service closed|no step free access|information)$/i;

/** Updates what is known from an answer within the watch's hours; returns `known` itself if nothing is new. */
export function judgeLine(
  known: IncidentKnowledge,
  { line: id }: WatchedLine,
  { window, lines, nowMs }: Pick<IncidentJudging, "window" | "lines" | "nowMs">,
): Judgement {
  const isOver = nowMs > window.lastMs;
  const before = known.line ?? ALL_WELL;
  const own = isOver ? [] : (lines?.entries ?? []).filter(({ line }) => line === id);
  const line = own.length === 0 ? before : troublesOf(own);
  const isChanged = JSON.stringify(line) !== JSON.stringify(before);
  return {
    // A newer time alone is not worth a write every minute.
    knowledge: isChanged ? { ...known, line, dataMs: lines?.dataMs ?? known.dataMs } : known,
    trains: [],
    line,
    isOver,
  };
}

function troublesOf(entries: KnownLines["entries"]): LineKnowledge {
  const troubles = entries.filter(({ isDisrupted, state = "" }) => isDisrupted && !NO_TROUBLE.test(state));
  return {
    states: distinct(troubles.map(({ state }) => state ?? "Disrupted")),
    reasons: distinct(troubles.map(({ description }) => description)),
  };
}

function distinct(texts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== undefined))];
}
