// What is to be done for one day of a watch: nothing, a change of its row, or a message. Pure.
import type { IncidentChanges, IncidentRecord } from "./incidents-table.ts";
import type { KnownAnswer } from "../boards/planning/board-data.ts";
import { type Judgement, judgeIncident } from "./judge-incident.ts";
import type { KnownNetwork } from "./network-status.ts";
import type { StationNames } from "../boards/board-settings-words.ts";
import { type PresentedIncident, presentIncident } from "./watch-incident-view.ts";
import { type IncidentKnowledge, serialiseKnowledge } from "./train-knowledge.ts";
import type { WatchDay } from "./watch-days.ts";

/** Nothing to say; `isChanged` where the row is to be changed. */
interface Quiet {
  readonly kind: "none";
  readonly isChanged: boolean;
  readonly isClosed: boolean;
}

export interface Decision {
  readonly knowledge: IncidentKnowledge;
  readonly json: string;
  readonly act:
    | Quiet
    /** A message to post, or to edit where there is one. `isLast`: then its day is closed. */
    | { readonly kind: "notify"; readonly presented: PresentedIncident; readonly isLast: boolean }
    /** A message that may be there, to be looked for. */
    | { readonly kind: "find" };
}

/** Older knowledge is said to be old: the service has had something new since. */
const OLD_MS = 5 * 60_000;
/** A last edit that does not come through is given up. */
const GIVE_UP_MS = 24 * 60 * 60_000;

/** What is known now about a watch's question; empty if nothing is. */
export interface WatchAnswer {
  readonly trains?: KnownAnswer | undefined;
  readonly network?: KnownNetwork | undefined;
}

/** Judges a day and decides. `known`: what its row holds. */
export function decideIncident(
  { watch, window, row }: WatchDay,
  known: IncidentKnowledge | undefined,
  { trains, network }: WatchAnswer,
  stations: StationNames,
  nowMs: number,
): Decision {
  const judgement = judgeIncident(known, {
    settings: watch.settings,
    window,
    answer: trains,
    network,
    nowMs,
  });
  const answer = trains ?? network;
  const { knowledge, isOver } = judgement;
  const json = row !== undefined && knowledge === known ? row.knowledge : serialiseKnowledge(knowledge);
  const isGivenUp = nowMs > window.lastMs + GIVE_UP_MS;
  const none: Quiet = {
    kind: "none",
    isChanged: row === undefined || row.knowledge !== json,
    isClosed: isOver || isGivenUp,
  };
  const isDisruption = judgement.disruptions !== undefined;
  const presentNow = (): PresentedIncident =>
    presentIncident(
      {
        ...judgement,
        watch,
        day: window.day,
        dataMs: isDisruption ? knowledge.dataMs : (answer?.dataMs ?? knowledge.dataMs),
        credit: answer?.credit,
        isOld: trains ? nowMs - trains.askedAtMs > OLD_MS : (network?.isOld ?? false),
        closed: isOver,
      },
      stations,
    );

  function act(): Decision["act"] {
    if (isGivenUp) {
      return none;
    }
    if (row?.messageId !== undefined) {
      // After a restart nothing is known for a while: the message goes on saying what it said.
      const presented = answer !== undefined || isOver ? presentNow() : undefined;
      return presented === undefined || presented.hash === row.shownHash
        ? { ...none, isClosed: isOver && presented !== undefined }
        : { kind: "notify", presented, isLast: isOver };
    }
    if (!knowledge.isUnwanted && answer !== undefined && hasTrouble(judgement)) {
      return { kind: "notify", presented: presentNow(), isLast: false };
    }
    return row?.postingSinceMs === undefined ? none : { kind: "find" };
  }

  return { knowledge, json, act: act() };
}

function hasTrouble({ trains, line, disruptions = [], isOver }: Judgement): boolean {
  const isTroubled =
    (line !== undefined && line.states.length > 0) || disruptions.some((disruption) => !disruption.isOver);
  return !isOver && (isTroubled || trains.some(({ gone, troubles }) => !gone && troubles.length > 0));
}

/** What the row says before anything is sent, so that other processes leave it alone and know what may have gone out. */
export function claimChanges(
  { json, act }: Decision,
  row: IncidentRecord | undefined,
  nowMs: number,
  claimForMs: number,
): IncidentChanges & Pick<IncidentRecord, "knowledge"> {
  if (act.kind === "none") {
    return { knowledge: json, ...(act.isClosed && { closedAtMs: nowMs }) };
  }
  const isPosting = act.kind === "notify" && row?.messageId === undefined;
  return {
    knowledge: json,
    claimForMs,
    ...(isPosting && { postingSinceMs: row?.postingSinceMs ?? nowMs }),
    // Until the edit's outcome is known.
    shownHash: undefined,
  };
}
