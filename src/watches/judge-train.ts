// Pure: the same answer twice changes nothing.
import type { KnownAnswer } from "../boards/planning/board-contents.ts";
import { isCut } from "../rail/board-row.ts";
import type { BoardRow } from "../rail/departures.ts";
import { type TrainIdentity, findBus, findNeighbours, findTrainRow } from "./find-train.ts";
import type { TrainKnowledge } from "./train-knowledge.ts";

export type Trouble =
  | { readonly kind: "late"; readonly minutes: number }
  /** Late by an unknown time. */
  | { readonly kind: "delayed" }
  | { readonly kind: "cancelled" }
  /** It runs, but some of its later stops are cancelled. */
  | { readonly kind: "cut" }
  /** The timetable changed after the train was first known. */
  | { readonly kind: "retimed" }
  | { readonly kind: "platform"; readonly from: string; readonly to: string }
  | { readonly kind: "bus" }
  /** The board stopped listing it before it should have left. */
  | { readonly kind: "vanished" };

export interface TrainToJudge extends TrainIdentity {
  /** Default a train. A bus that is watched as a bus is no trouble. */
  readonly intendedMode?: BoardRow["mode"] | undefined;
}

export interface TrainInput {
  /** `undefined` if nothing is known at present. */
  readonly answer: KnownAnswer | undefined;
  readonly nowMs: number;
  /** A train that is at least this many minutes late has trouble. */
  readonly delayMinutes: number;
  /** The question was only for trains that go where the person wants to go. */
  readonly isFiltered: boolean;
}

/** A delay that was reported counts as over only when it is this much below the limit, because delays go up and down. */
const HYSTERESIS_MINUTES = 2;
/** Boards drop a train when it leaves, which may be a little before its time. */
const LEAVES_EARLY_MS = 2 * 60_000;
/** If no answer says that it has left, it counts as gone this long after its time. */
const PRESUMED_LEFT_MS = 5 * 60_000;
/** A train that the board still lists may stand in the station this long after its time. */
const LONGEST_DWELL_MS = 30 * 60_000;
/** How long to wait for a train whose delay has an unknown length. */
export const LONGEST_DELAY_MS = 4 * 60 * 60_000;

export function judgeTrain(
  train: TrainToJudge,
  known: TrainKnowledge | undefined,
  input: TrainInput,
): TrainKnowledge {
  const before = known ?? {
    plannedAt: train.aimedAt,
    isVanished: false,
    neighboursMs: [],
    wasTroubled: false,
    isGone: false,
  };
  if (before.isGone) {
    return before;
  }
  const { answer, nowMs } = input;
  const learnt = answer === undefined ? before : learn(train, before, { ...input, answer });
  const isListed = answer !== undefined && learnt.row !== undefined && learnt.missingSinceMs === undefined;
  const listedMs = isListed ? answer.dataMs : -Infinity;
  return {
    ...learnt,
    wasTroubled: learnt.wasTroubled || troublesOf(learnt, input, train.intendedMode).length > 0,
    isGone: learnt.isGone || nowMs > lastMomentMs(learnt, listedMs),
  };
}

/** Everything that is wrong with a train, worst first. `intendedMode`: whether the person watches a train or a bus. */
export function troublesOf(
  { plannedAt, row, platform, lateness, bus, isVanished }: TrainKnowledge,
  { isFiltered }: Pick<TrainInput, "isFiltered">,
  intendedMode: BoardRow["mode"] = "train",
): readonly Trouble[] {
  const byBus: readonly Trouble[] = bus ? [{ kind: "bus" }] : [];
  if (row?.state === "cancelled" || row?.viaCancelled) {
    return [{ kind: "cancelled" }, ...byBus];
  }
  if (isVanished) {
    return [{ kind: "vanished" }, ...byBus];
  }
  if (row === undefined) {
    return [];
  }
  const isOwnBus = row.mode === "bus" && intendedMode === "train";
  const troubles: Trouble[] = isOwnBus ? [{ kind: "bus" }] : [];
  // If it is known where the person gets off, other stops do not matter.
  if (isCut(row) && !isFiltered && !isOwnBus) {
    troubles.push({ kind: "cut" });
  }
  if (lateness !== undefined) {
    troubles.push(lateness === "unknown" ? { kind: "delayed" } : { kind: "late", minutes: lateness });
  }
  if (isOwnBus) {
    return troubles;
  }
  if (!row.aimedAt.equals(plannedAt)) {
    troubles.push({ kind: "retimed" });
  }
  if (platform !== undefined && row.platform !== undefined && !isSamePlatform(platform, row.platform)) {
    troubles.push({ kind: "platform", from: platform, to: row.platform });
  }
  return troubles;
}

/** When the train leaves, as far as is known, in milliseconds since the epoch. */
export function departureMs({ plannedAt, row, lateness }: TrainKnowledge): number {
  const aimedMs = (row?.aimedAt ?? plannedAt).epochMilliseconds;
  if (row === undefined || row.state === "cancelled") {
    return aimedMs;
  }
  // If the service no longer gives an expected time, the last known delay counts.
  const lateMs = typeof lateness === "number" ? lateness * 60_000 : 0;
  return row.expectedAt?.epochMilliseconds ?? aimedMs + lateMs;
}

type AnsweredInput = TrainInput & { readonly answer: KnownAnswer };

function learn(train: TrainToJudge, known: TrainKnowledge, input: AnsweredInput): TrainKnowledge {
  const { rows } = input.answer;
  const { trainUid = train.trainUid, startDate = train.startDate } = known.row ?? {};
  const identity = { ...train, ...known.row, trainUid, startDate, isSeen: known.row !== undefined };
  const row = findTrainRow(rows, identity, known.neighboursMs);
  const { dataMs } = input.answer;
  if (row === undefined || isReplacedTrain(row, known, dataMs) || isOtherBus(row, known, dataMs)) {
    return learnFromAbsence(identity, known, input);
  }
  const isOwnBus = row.mode === "bus" && train.intendedMode !== "bus";
  const platform = isOwnBus || row.platform === undefined ? known.row?.platform : row.platform;
  return {
    ...known,
    // If one answer leaves out the id, the train keeps it.
    row: { ...row, platform, trainUid: row.trainUid ?? trainUid, startDate: row.startDate ?? startDate },
    platform: known.platform ?? platform,
    lateness: latenessOf(row, known.lateness, input.delayMinutes),
    bus: row.state === "cancelled" ? findBus(rows, row, input.isFiltered) : isOwnBus ? row : undefined,
    missingSinceMs: undefined,
    isVanished: false,
    neighboursMs: (row.trainUid ?? trainUid) === undefined ? findNeighbours(rows, row) : [],
  };
}

/** Once a train's time has passed, a board may list it again without its replacement bus. */
function isReplacedTrain(
  { mode, state, aimedAt }: BoardRow,
  { bus }: TrainKnowledge,
  dataMs: number,
): boolean {
  const isPast = aimedAt.epochMilliseconds <= dataMs;
  return bus !== undefined && mode === "train" && state === "scheduled" && isPast;
}

/** Once a train has left, a bus without an id that is listed at the train's time is another service. */
function isOtherBus({ mode, trainUid }: BoardRow, known: TrainKnowledge, dataMs: number): boolean {
  const hasLeft = known.row?.state !== "cancelled" && departureMs(known) <= dataMs + LEAVES_EARLY_MS;
  return mode === "bus" && trainUid === undefined && known.row?.mode === "train" && hasLeft;
}

/** The train has left, was cancelled and taken off, lies beyond the answer, or has vanished. */
function learnFromAbsence(
  identity: TrainIdentity,
  known: TrainKnowledge,
  { answer, isFiltered }: AnsweredInput,
): TrainKnowledge {
  const { rows, dataMs, coversUntilMs } = answer;
  const leavesMs = departureMs(known);
  if (known.row?.state === "cancelled") {
    return { ...known, bus: findBus(rows, identity, isFiltered) ?? known.bus };
  }
  // One answer may leave it out by mistake.
  const { missingSinceMs = dataMs } = known;
  const isConfirmed = dataMs > missingSinceMs;
  const hasOtherBus = known.isVanished && known.bus !== undefined;
  const isAwaited = hasOtherBus || (known.lateness === "unknown" && !isConfirmed);
  if (!isAwaited && leavesMs <= dataMs + LEAVES_EARLY_MS) {
    return { ...known, isGone: true };
  }
  if (leavesMs >= coversUntilMs) {
    return known;
  }
  const isVanished = known.isVanished || isConfirmed;
  const bus = isVanished ? (findBus(rows, identity, isFiltered) ?? known.bus) : known.bus;
  return { ...known, missingSinceMs, isVanished, bus };
}

function latenessOf(
  { state, delayMinutes }: BoardRow,
  before: TrainKnowledge["lateness"],
  limit: number,
): TrainKnowledge["lateness"] {
  switch (state) {
    case "cancelled":
    case "on-time":
    case "early":
    case "expected":
      return undefined;
    case "delayed":
      return "unknown";
    case "scheduled":
      // The answer says nothing new.
      return before;
    case "late": {
      const least = before === undefined ? limit : limit - HYSTERESIS_MINUTES;
      return delayMinutes !== undefined && delayMinutes >= least ? delayMinutes : undefined;
    }
  }
}

/** Until when it or its bus may still be at the station. `listedMs`: when the board last listed it. */
function lastMomentMs(known: TrainKnowledge, listedMs: number): number {
  const { expectedAt, aimedAt } = known.bus ?? {};
  const busMs = (expectedAt ?? aimedAt)?.epochMilliseconds ?? -Infinity;
  const leavesMs = Math.max(departureMs(known), busMs);
  if (known.lateness === "unknown" && !known.isVanished) {
    return leavesMs + LONGEST_DELAY_MS;
  }
  const isAwaited = known.row !== undefined && known.row.state !== "cancelled";
  const lastSeenMs = isAwaited ? Math.min(listedMs, leavesMs + LONGEST_DWELL_MS) : -Infinity;
  return Math.max(leavesMs, lastSeenMs) + PRESUMED_LEFT_MS;
}

function isSamePlatform(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
