// Judges a watched line, and disruptions: those that a message reports, and those that none reports yet.
import { isDeepStrictEqual } from "node:util";
import { findOperator, operatorKey } from "../rail/operators.ts";
import type { NetworkEntry } from "../sources/transport-data.ts";
import type { IncidentInput, Judgement } from "./judge-incident.ts";
import type { KnownNetwork } from "./network-status.ts";
import {
  type Disruption,
  type IncidentKnowledge,
  type LineKnowledge,
  NOTHING_KNOWN,
} from "./train-knowledge.ts";
import type { WatchedLine, WatchedNetwork } from "./watches.ts";

const GOOD_SERVICE: LineKnowledge = { states: [], reasons: [] };
const NO_TROUBLE = /^(?:service closed|no step free access|information)$/i;

/** Returns `known` itself if nothing is new within the watch's hours. */
export function judgeLine(
  known: IncidentKnowledge,
  { line: id }: WatchedLine,
  { window, network, nowMs }: Pick<IncidentInput, "window" | "network" | "nowMs">,
): Judgement {
  const isOver = nowMs > window.lastMs;
  const before = known.line ?? GOOD_SERVICE;
  const own = isOver ? [] : (network?.entries ?? []).filter(({ line }) => line === id);
  const line = own.length === 0 ? before : statusOf(own);
  const isChanged = !isDeepStrictEqual(line, before);
  return {
    // A newer time alone is not worth a write every minute.
    knowledge: isChanged ? { ...known, line, dataMs: network?.dataMs ?? known.dataMs } : known,
    trains: [],
    line,
    isOver,
  };
}

/** Not every state is worth an alert: lines close every night, and a lift out of order delays nobody. */
function isTrouble({ isDisrupted, state = "" }: NetworkEntry): boolean {
  return isDisrupted && !NO_TROUBLE.test(state);
}

function statusOf(entries: KnownNetwork["entries"]): LineKnowledge {
  const troubles = entries.filter(isTrouble);
  return {
    states: distinct(troubles.map(({ state }) => state ?? "Disrupted")),
    reasons: distinct(troubles.map(({ description }) => description)),
  };
}

function distinct(texts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== undefined))];
}

/** If more disruptions than this begin at the same time, e.g. when a watch is created, they share a message. */
const MAX_SEPARATE_MESSAGES = 3;
/** A disruption that comes back within this time updates its message; after that, it gets a new one. */
const COMES_BACK_MS = 30 * 60_000;
/** If answers leave an operator out for this long, its disruptions are over. */
const UNLISTED_MS = 24 * 60 * 60_000;
/** The clocks of the source and of this machine may differ by this much. */
const AHEAD_MS = 10 * 60_000;

/** Sources that do not name the mode report `other`. */
const RAILWAY: ReadonlySet<NetworkEntry["mode"]> = new Set(["train", "other"]);

/** The knowledge with which each new incident begins: the disruptions that none of the incidents in `open` reports. */
export function beginIncidents(
  what: WatchedNetwork,
  open: readonly IncidentKnowledge[],
  network: KnownNetwork,
  nowMs: number,
): readonly IncidentKnowledge[] {
  const reported = new Set(open.flatMap(({ disruptions = [] }) => disruptions.map(({ key }) => key)));
  const started = [...currentDisruptions(what, network, nowMs).values()].filter(
    ({ key }) => !reported.has(key),
  );
  const groups = started.length > MAX_SEPARATE_MESSAGES ? [started] : started.map((one) => [one]);
  return groups
    .filter((some) => some.length > 0)
    .map((disruptions) => ({ ...NOTHING_KNOWN, disruptions, dataMs: network.dataMs }));
}

/** Returns `known` itself if nothing is new. */
export function judgeDisruptions(
  known: IncidentKnowledge,
  what: WatchedNetwork,
  { network, nowMs }: Pick<IncidentInput, "network" | "nowMs">,
): Judgement {
  const before = known.disruptions ?? [];
  // What is known can only be from the future if a clock was ahead.
  const isYounger = network && (network.dataMs >= known.dataMs || known.dataMs > nowMs + AHEAD_MS);
  const disruptions = isYounger ? learn(before, what, network, nowMs) : before;
  const isChanged = !isDeepStrictEqual(disruptions, before);
  const overMs = disruptions.map(({ isOver, overSinceMs = Infinity }) => (isOver ? overSinceMs : Infinity));
  return {
    knowledge: isChanged ? { ...known, disruptions, dataMs: network?.dataMs ?? known.dataMs } : known,
    trains: [],
    disruptions,
    isOver: nowMs >= Math.max(...overMs) + COMES_BACK_MS,
  };
}

function learn(
  known: readonly Disruption[],
  what: WatchedNetwork,
  network: KnownNetwork,
  nowMs: number,
): readonly Disruption[] {
  const current = currentDisruptions(what, network, nowMs);
  const listed = new Set(network.entries.map(({ name }) => operatorKey(name)));
  return known.map((disruption) => {
    const { key, sinceMs, operators, overSinceMs = network.dataMs } = disruption;
    const now = current.get(key);
    if (now !== undefined) {
      return { ...now, sinceMs };
    }
    // One answer without it may be a mistake.
    const waitMs = operators.some((name) => listed.has(operatorKey(name))) ? 0 : UNLISTED_MS;
    return { ...disruption, overSinceMs, isOver: disruption.isOver || network.dataMs > overSinceMs + waitMs };
  });
}

/** The current disruptions by key. An incident that affects several operators is one disruption. */
function currentDisruptions(
  { operator }: WatchedNetwork,
  { entries, dataMs }: KnownNetwork,
  nowMs: number,
): ReadonlyMap<string, Disruption> {
  const wanted = operator === undefined ? undefined : operatorKey(operator);
  const troubles = entries.filter(
    (entry) =>
      RAILWAY.has(entry.mode) &&
      isTrouble(entry) &&
      isNow(entry, nowMs) &&
      (wanted === undefined || operatorKey(entry.name) === wanted),
  );
  const together = Map.groupBy(troubles, ({ incident, name }) =>
    incident === undefined ? operatorKey(name) : `#${incident}`,
  );
  return new Map(
    [...together].map(([key, some]) => [
      key,
      {
        ...statusOf(some),
        key,
        operators: distinct(some.map(({ name }) => findOperator(name)?.name ?? name)),
        sinceMs: dataMs,
        isOver: false,
      },
    ]),
  );
}

function isNow({ from, until }: NetworkEntry, nowMs: number): boolean {
  return (from?.epochMilliseconds ?? 0) <= nowMs && nowMs <= (until?.epochMilliseconds ?? Infinity);
}
