// What is to be done for one day of a watch: nothing, a change of its row, or a message. Pure.
import type { IncidentChanges, IncidentRecord } from "./incidents-table.ts";
import type { KnownAnswer } from "../boards/planning/board-data.ts";
import { type Judgement, judgeIncident } from "./judge-incident.ts";
import type { KnownNetwork } from "./network-status.ts";
import type { StationNames } from "../boards/board-settings-words.ts";
import { type PresentedIncident, presentIncident } from "./watch-incident-view.ts";
import {
  type Alarm,
  type IncidentKnowledge,
  lastMessage,
  serialiseKnowledge,
  withoutMessage,
} from "./train-knowledge.ts";
import type { WatchDay } from "./watch-days.ts";
import type { WatchSettings } from "./watches.ts";

/** Nothing to say; `isChanged` where the row is to be changed. */
interface NoAction {
  readonly kind: "none";
  readonly isChanged: boolean;
  readonly isClosed: boolean;
}

export interface Decision {
  readonly knowledge: IncidentKnowledge;
  readonly json: string;
  readonly action:
    | NoAction
    /** A message to post, in place of the one that stands if there is one. `alarms`: those that it has. */
    | { readonly kind: "post"; readonly presented: PresentedIncident; readonly alarms: readonly Alarm[] }
    /** The message that stands. `isLast`: then its day is closed. */
    | { readonly kind: "edit"; readonly presented: PresentedIncident; readonly isLast: boolean }
    /** A message that may be there, to be looked for. */
    | { readonly kind: "find" };
}

/** Later, people are on their way to the platform. */
const LEAVES_SOON_MS = 15 * 60_000;
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
  const { knowledge: learnt, isOver } = judgement;
  const json = row !== undefined && learnt === known ? row.knowledge : serialiseKnowledge(learnt);
  const isGivenUp = nowMs > window.lastMs + GIVE_UP_MS;
  const noAction: NoAction = {
    kind: "none",
    isChanged: row?.knowledge !== json,
    isClosed: isOver || isGivenUp,
  };
  const isDisruption = judgement.disruptions !== undefined;
  const present = (message: number): PresentedIncident =>
    presentIncident(
      {
        ...judgement,
        watch,
        day: window.day,
        message,
        dataMs: isDisruption ? learnt.dataMs : (answer?.dataMs ?? learnt.dataMs),
        credit: answer?.credit,
        isOld: trains ? nowMs - trains.askedAtMs > OLD_MS : (network?.isOld ?? false),
        closed: isOver,
      },
      stations,
    );

  const hasMessage = row?.messageId !== undefined;
  const isPosting = row?.postingSinceMs !== undefined;
  const posted = hasMessage ? (learnt.alarms ?? []) : [];

  /** Whether to post: a first message, or one in its place that makes a sound again. */
  function isToPost(): boolean {
    if (answer === undefined || isOver || learnt.isUnwanted) {
      return false;
    }
    if (!hasMessage) {
      return hasTrouble(judgement);
    }
    const alreadyReported = (isPosting ? withoutMessage(learnt) : learnt).alarms?.flat();
    const alarms = alarmsOf(judgement, watch.settings.what, nowMs);
    return (
      watch.settings.ping &&
      alreadyReported !== undefined &&
      alarms.some((alarm) => !alreadyReported.includes(alarm))
    );
  }

  function chooseAction(): Decision["action"] {
    if (isGivenUp) {
      return noAction;
    }
    // After a restart nothing is known for a while: the message goes on saying what it said.
    const isKnown = answer !== undefined || isOver;
    if (hasMessage && !isPosting && isKnown) {
      const presented = present(lastMessage(learnt));
      // This comes before another message is posted: an edit shows whether somebody has deleted the one that stands.
      if (presented.hash !== row.shownHash) {
        return { kind: "edit", presented, isLast: isOver };
      }
    }
    if (isToPost()) {
      // What it tells counts as told, however early: a platform too.
      const alarms = alarmsOf(judgement, watch.settings.what, Infinity);
      const presented = present(isPosting ? lastMessage(learnt) : posted.length);
      return { kind: "post", presented, alarms };
    }
    return isPosting ? { kind: "find" } : noAction;
  }

  const action = chooseAction();
  const knowledge =
    action.kind === "post" && !isPosting ? { ...learnt, alarms: [...posted, action.alarms] } : learnt;
  return { knowledge, json: knowledge === learnt ? json : serialiseKnowledge(knowledge), action };
}

/** What deserves a sound of its own. Those who watch a commute may not want the train that changes its platform. */
function alarmsOf({ trains }: Judgement, what: WatchSettings["what"], nowMs: number): readonly Alarm[] {
  const awaited = trains.filter(({ gone }) => !gone);
  const isCancelled = awaited.some(({ troubles }) =>
    troubles.some(({ kind }) => kind === "cancelled" || kind === "bus"),
  );
  const isElsewhere = awaited.some(
    ({ troubles, row }) =>
      troubles.some(({ kind }) => kind === "platform") &&
      (row.expectedAt ?? row.aimedAt).epochMilliseconds <= nowMs + LEAVES_SOON_MS,
  );
  return [
    ...(isCancelled ? ["cancelled" as const] : []),
    ...(isElsewhere && what.kind === "train" ? ["platform" as const] : []),
  ];
}

function hasTrouble({ trains, line, disruptions = [], isOver }: Judgement): boolean {
  const isTroubled =
    (line !== undefined && line.states.length > 0) || disruptions.some((disruption) => !disruption.isOver);
  return !isOver && (isTroubled || trains.some(({ gone, troubles }) => !gone && troubles.length > 0));
}

/** What the row says before anything is sent, so that other processes leave it alone and know what may have gone out. */
export function claimChanges(
  { json, action }: Decision,
  row: IncidentRecord | undefined,
  nowMs: number,
  claimForMs: number,
): IncidentChanges & Pick<IncidentRecord, "knowledge"> {
  if (action.kind === "none") {
    return { knowledge: json, ...(action.isClosed && { closedAtMs: nowMs }) };
  }
  return {
    knowledge: json,
    claimForMs,
    ...(action.kind === "post" && { postingSinceMs: row?.postingSinceMs ?? nowMs }),
    // Until the edit's outcome is known.
    ...(action.kind === "edit" && { shownHash: undefined }),
  };
}
