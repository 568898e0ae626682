// Decides what to do for one day of a watch: nothing, a change of its row, or a message.
import type { IncidentChanges, IncidentRecord } from "./incidents-table.ts";
import type { KnownAnswer } from "../boards/planning/board-contents.ts";
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

/** `isChanged`: the row has to be updated. `isClosed`: the day is over. */
interface NoAction {
  readonly kind: "none";
  readonly isChanged: boolean;
  readonly isClosed: boolean;
}

export interface Decision {
  readonly knowledge: IncidentKnowledge;
  readonly action:
    | NoAction
    /** Replaces the current message if there is one. `alarms`: those that the message reports. */
    | { readonly kind: "post"; readonly presented: PresentedIncident; readonly alarms: readonly Alarm[] }
    | { readonly kind: "edit"; readonly presented: PresentedIncident }
    /** Searches for a message that may have been posted. */
    | { readonly kind: "find" };
}

/** A change of platform is an alarm if the train leaves this soon, because people are then on their way to it. */
const LEAVES_SOON_MS = 15 * 60_000;
/** Data that is older than this is marked as old, because the service normally has newer data by then. */
const OLD_MS = 5 * 60_000;
/** The bot gives up the last edit if it still fails this long after the end of the day. */
const GIVE_UP_MS = 24 * 60 * 60_000;

/** If train times do not come for this long within the watch's hours, silence would mislead its owner. */
const MISSED_MS = 15 * 60_000;

interface WatchAnswer {
  readonly trains?: KnownAnswer | undefined;
  /** Since when the question has had its turn but no answer; absent if it is answered or its turn has not come. */
  readonly missingSinceMs?: number | undefined;
  readonly network?: KnownNetwork | undefined;
}

/** `known`: the knowledge in the day's row. */
export function decideIncident(
  { watch, window, row }: WatchDay,
  known: IncidentKnowledge | undefined,
  { trains, missingSinceMs = Infinity, network }: WatchAnswer,
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
  const isGivenUp = nowMs > window.lastMs + GIVE_UP_MS;
  const noAction: NoAction = {
    kind: "none",
    isChanged: row === undefined || (learnt !== known && row.knowledge !== serialiseKnowledge(learnt)),
    isClosed: isOver || isGivenUp,
  };
  const isDisruption = judgement.disruptions !== undefined;
  const isBlind = nowMs > Math.max(window.fromMs, missingSinceMs) + MISSED_MS;
  const present = (message: number): PresentedIncident =>
    presentIncident(
      {
        ...judgement,
        watch,
        day: window.day,
        message,
        dataMs: isDisruption ? learnt.dataMs : (answer?.dataMs ?? learnt.dataMs),
        credit: answer?.credit,
        isBlind: isBlind || trains === undefined,
        isOld: trains ? nowMs - trains.askedAtMs > OLD_MS : (network?.isOld ?? true),
      },
      stations,
    );

  const hasMessage = row?.messageId !== undefined;
  const isPosting = row?.postingSinceMs !== undefined;
  const { alarms: reported } = isPosting ? withoutMessage(learnt) : learnt;
  const posted = hasMessage ? (reported ?? []) : [];
  /** Whether the message has only said that no train times came, so that the first trouble makes a sound too. */
  const isFirstTrouble =
    watch.settings.ping &&
    trains !== undefined &&
    hasTrouble(judgement) &&
    posted.length === 1 &&
    posted.flat().length === 0 &&
    (isPosting
      ? // A replacement without an alarm of its own reports the first trouble.
        learnt.alarms?.at(-1)?.length === 0
      : !Object.values(known?.trains ?? {}).some(({ wasTroubled }) => wasTroubled));

  /** Whether to post the first message, or one that replaces it and makes a sound again. */
  function shouldPost(): boolean {
    if (isOver || learnt.isUnwanted) {
      return false;
    }
    if (!hasMessage) {
      return isBlind || (answer !== undefined && hasTrouble(judgement));
    }
    if (answer === undefined) {
      return false;
    }
    // While it is unknown whether the message was posted, a change of platform counts however early it is.
    const alarms = alarmsOf(judgement, watch.settings.what, isPosting ? Infinity : nowMs);
    return (
      isFirstTrouble ||
      (watch.settings.ping &&
        reported !== undefined &&
        alarms.some((alarm) => !reported.flat().includes(alarm)))
    );
  }

  function chooseAction(): Decision["action"] {
    if (isGivenUp) {
      return noAction;
    }
    // After a restart nothing is known for a while, so the message stays unchanged.
    const isKnown = answer !== undefined || isOver;
    if (hasMessage && !isPosting && isKnown) {
      const presented = present(lastMessage(learnt));
      // Edits come before replacements, because an edit shows whether somebody has deleted the current message.
      if (presented.hash !== row.shownHash) {
        return { kind: "edit", presented };
      }
    }
    if (shouldPost()) {
      // All alarms in the message count as reported, even a change of platform long before departure.
      const alarms = alarmsOf(judgement, watch.settings.what, Infinity);
      const presented = present(isPosting ? lastMessage(learnt) : posted.length);
      return { kind: "post", presented, alarms };
    }
    return isPosting ? { kind: "find" } : noAction;
  }

  const action = chooseAction();
  if (action.kind === "post" && !isPosting) {
    return { knowledge: { ...learnt, alarms: [...posted, action.alarms] }, action };
  }
  // Until the first trouble is posted, the row must not know of it.
  return { knowledge: (isFirstTrouble && !isPosting ? known : undefined) ?? learnt, action };
}

/** A change of platform is none for a commute, because its owner may not take that train. */
function alarmsOf({ trains }: Judgement, what: WatchSettings["what"], nowMs: number): readonly Alarm[] {
  const awaited = trains.filter(({ isGone }) => !isGone);
  const isCancelled = awaited.some(({ troubles }) =>
    troubles.some(({ kind }) => kind === "cancelled" || kind === "bus"),
  );
  const hasNewPlatform = awaited.some(
    ({ troubles, row }) =>
      troubles.some(({ kind }) => kind === "platform") &&
      (row.expectedAt ?? row.aimedAt).epochMilliseconds <= nowMs + LEAVES_SOON_MS,
  );
  return [
    ...(isCancelled ? ["cancelled" as const] : []),
    ...(hasNewPlatform && what.kind === "train" ? ["platform" as const] : []),
  ];
}

function hasTrouble({ trains, line, disruptions = [] }: Judgement): boolean {
  return (
    (line !== undefined && line.states.length > 0) ||
    disruptions.some(({ isOver }) => !isOver) ||
    trains.some(({ isGone, troubles }) => !isGone && troubles.length > 0)
  );
}

/** If something will be sent, they claim the row, so that other processes know that it may have been. */
export function claimChanges(
  { knowledge, action }: Decision,
  row: IncidentRecord | undefined,
  nowMs: number,
  claimForMs: number,
): IncidentChanges & Pick<IncidentRecord, "knowledge"> {
  const json = serialiseKnowledge(knowledge);
  if (action.kind === "none") {
    return { knowledge: json, ...(action.isClosed && { closedAtMs: nowMs }) };
  }
  return {
    knowledge: json,
    claimForMs,
    ...(action.kind === "post" && { postingSinceMs: row?.postingSinceMs ?? nowMs }),
    // Unknown until the edit has succeeded.
    ...(action.kind === "edit" && { shownHash: undefined }),
  };
}
