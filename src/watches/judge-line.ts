// What one day of a watched line has come to. Pure.
import type { KnownLines } from "./line-status.ts";
import type { IncidentKnowledge, LineKnowledge } from "./train-knowledge.ts";
import type { IncidentJudging, Judgement } from "./judge-incident.ts";
import type { WatchedLine } from "./watches.ts";

const ALL_WELL: LineKnowledge = { states: [], reasons: [] };
/** Every night the lines close, and nobody is delayed by a lift. */
const NO_TROUBLE = /^(?:service closed|no step free access|information)$/i;

/** Learns from an answer within the watch's hours; where there is nothing new, `known` itself is its knowledge. */
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
    // Its moment alone is nothing to write down every minute.
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
