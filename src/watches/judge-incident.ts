// Judges one day of a watch: what is known about its trains and what has to be reported. Pure functions.
import { byTime, formatUkDate } from "../time/uk-time.ts";
import { instantAt } from "../time/wall-clock.ts";
import type { KnownAnswer } from "../boards/planning/board-contents.ts";
import { isGone } from "../rail/board-row.ts";
import type { BoardRow } from "../rail/departures.ts";
import type { KnownNetwork } from "./network-status.ts";
import { judgeDisruptions, judgeLine } from "./judge-network.ts";
import { compareRows, findTrainRow } from "./find-train.ts";
import {
  type TrainInput,
  LONGEST_DELAY_MS,
  type TrainToJudge,
  type Trouble,
  departureMs,
  judgeTrain,
  troublesOf,
} from "./judge-train.ts";
import {
  type Disruption,
  type IncidentKnowledge,
  type LineKnowledge,
  NOTHING_KNOWN,
  type TrainKnowledge,
  serialiseKnowledge,
} from "./train-knowledge.ts";
import type { WatchWindow } from "./watch-days.ts";
import type { WatchSettings, WatchedCommute, WatchedTrain } from "./watches.ts";

export interface TroubledTrain extends Pick<TrainKnowledge, "plannedAt" | "bus" | "isGone"> {
  /** The row as last seen; made from the watch's settings if it was never seen. */
  readonly row: BoardRow;
  /** Everything that is wrong with it now, worst first; empty after it has recovered. */
  readonly troubles: readonly Trouble[];
  /** If it does not run: the next train or bus to the destination that does. */
  readonly next: BoardRow | undefined;
}

export interface Judgement {
  readonly knowledge: IncidentKnowledge;
  /** The trains that have or had trouble, by aimed time. */
  readonly trains: readonly TroubledTrain[];
  readonly line?: LineKnowledge | undefined;
  /** The disruptions that share this incident's message. */
  readonly disruptions?: readonly Disruption[] | undefined;
  /** Whether all of its trains have left, or its hours or disruptions are over. */
  readonly isOver: boolean;
}

export interface IncidentInput {
  readonly settings: WatchSettings;
  readonly window: WatchWindow;
  /** `undefined` if nothing is known at present. */
  readonly answer: KnownAnswer | undefined;
  /** Absent if nothing is known at present. */
  readonly network?: KnownNetwork | undefined;
  readonly nowMs: number;
}

type Trains = IncidentKnowledge["trains"];

/** A train watch has only one. */
const ONLY_KEY = "train";
/** The service's clock may be this far ahead. */
const AHEAD_MS = 10 * 60_000;
/** How long a commute waits after the end of its hours for a train that it has not seen. */
const UNSEEN_TRAIN_WAIT_MS = 5 * 60_000;

/** Ignores an older answer. If nothing is new, the result's `knowledge` is `known` itself. */
export function judgeIncident(known: IncidentKnowledge = NOTHING_KNOWN, input: IncidentInput): Judgement {
  const { what, delayMinutes } = input.settings;
  if (what.kind === "network") {
    return judgeDisruptions(known, what, input);
  }
  if (known.dataMs > input.nowMs + AHEAD_MS) {
    // A clock was ahead, so what is known has a time in the future.
    const { isUnwanted, alarms } = known;
    return judgeIncident({ ...NOTHING_KNOWN, isUnwanted, alarms }, input);
  }
  if (what.kind === "line") {
    return judgeLine(known, what, input);
  }
  const answer = input.answer && input.answer.dataMs >= known.dataMs ? input.answer : undefined;
  const { nowMs } = input;
  const trainInput = { answer, nowMs, delayMinutes, isFiltered: what.to !== undefined };
  const trains =
    what.kind === "train"
      ? { [ONLY_KEY]: judgeTrain(trainToJudge(what), known.trains[ONLY_KEY], trainInput) }
      : judgeTrains(what, known.trains, trainInput, input);
  const isChanged = serialiseKnowledge(trains) !== serialiseKnowledge(known.trains);
  return {
    // A newer time alone is not worth a write every minute.
    knowledge: isChanged ? { ...known, trains, dataMs: answer?.dataMs ?? known.dataMs } : known,
    trains: Object.values(trains)
      .filter(({ wasTroubled }) => wasTroubled)
      .map((train) => describeTrain(train, what, trainInput))
      .toSorted(byTime(({ plannedAt }) => plannedAt)),
    isOver: isOver(what, trains, input),
  };
}

function isOver(
  { kind }: WatchedTrain | WatchedCommute,
  trains: Trains,
  { window: { lastMs }, nowMs }: IncidentInput,
): boolean {
  const areGone = Object.values(trains).every((train) => train.isGone);
  return kind === "train"
    ? areGone
    : nowMs > lastMs + LONGEST_DELAY_MS || (areGone && nowMs > lastMs + UNSEEN_TRAIN_WAIT_MS);
}

/** Judges, in the order of their keys, known trains and new ones within the hours whose lead has begun. */
function judgeTrains(
  what: WatchedCommute,
  known: Trains,
  trainInput: TrainInput,
  { settings, window, nowMs }: IncidentInput,
): Trains {
  const { answer } = trainInput;
  const judged = new Map<string, TrainKnowledge>();
  const rows = answer?.rows ?? [];
  const taken = new Set<BoardRow>();
  for (const [key, train] of Object.entries(known)) {
    const identity = train.row
      ? { ...train.row, isSeen: true }
      : { place: what.to, operator: undefined, aimedAt: train.plannedAt };
    judged.set(key, judgeTrain(identity, train, trainInput));
    // Another source may still list a train that has left according to the first one, under another id.
    const hasLeft = train.isGone && train.row?.trainUid === undefined;
    const row = hasLeft ? undefined : findTrainRow(rows, identity, train.neighboursMs);
    if (row) {
      taken.add(row);
    }
  }
  const untilMs = Math.min(window.lastMs, nowMs + settings.leadMinutes * 60_000);
  const inHours = rows.filter(
    ({ aimedAt: { epochMilliseconds: aimedMs } }) => window.firstMs <= aimedMs && aimedMs <= window.lastMs,
  );
  // Buses that run beside trains are no surprise. If there are only buses, they replace the trains.
  const hasTrains = Object.keys(known).length > 0 || inHours.some(({ mode }) => mode === "train");
  for (const row of inHours.toSorted(compareRows)) {
    const key = keyOf(row);
    const isNew = !taken.has(row) && !judged.has(key) && row.aimedAt.epochMilliseconds <= untilMs;
    if (isNew && !(row.mode === "bus" && hasTrains) && !isGone(row, instantAt(nowMs))) {
      judged.set(key, judgeTrain(row, undefined, trainInput));
    }
  }
  return Object.fromEntries([...judged].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function describeTrain(
  train: TrainKnowledge,
  what: WatchedTrain | WatchedCommute,
  input: TrainInput,
): TroubledTrain {
  const { answer, nowMs } = input;
  const troubles = troublesOf(train, input, what.kind === "train" ? what.mode : undefined);
  const isNotRunning = troubles.some(({ kind }) => kind === "cancelled" || kind === "vanished");
  return {
    ...train,
    row: train.row ?? unseenRow(what, train.plannedAt),
    troubles,
    next: isNotRunning && !train.isGone ? nextAfter(answer?.rows ?? [], train, what, nowMs) : undefined,
  };
}

/** The first train or bus that leaves at or after this train's time and goes where the person wants to go. */
function nextAfter(
  rows: readonly BoardRow[],
  train: TrainKnowledge,
  what: WatchedTrain | WatchedCommute,
  nowMs: number,
): BoardRow | undefined {
  const fromMs = Math.max(nowMs, departureMs(train));
  const place = train.row?.place ?? (what.kind === "train" ? what.place : undefined);
  const [next] = rows
    .filter(
      (row) =>
        (what.to !== undefined || row.place === place) &&
        row.state !== "cancelled" &&
        row.state !== "delayed" &&
        !row.viaCancelled &&
        leavesMs(row) >= fromMs &&
        ![train.row, train.bus].some((own) => own !== undefined && keyOf(own) === keyOf(row)),
    )
    .toSorted((a, b) => leavesMs(a) - leavesMs(b) || (keyOf(a) < keyOf(b) ? -1 : 1));
  return next;
}

function leavesMs({ expectedAt, aimedAt }: BoardRow): number {
  return (expectedAt ?? aimedAt).epochMilliseconds;
}

function trainToJudge({ trainUid, startDate, place, operator, aimedMs, mode }: WatchedTrain): TrainToJudge {
  return { trainUid, startDate, place, operator, aimedAt: instantAt(aimedMs), mode, intendedMode: mode };
}

function unseenRow(what: WatchedTrain | WatchedCommute, plannedAt: Temporal.Instant): BoardRow {
  return {
    mode: "train",
    place: what.kind === "train" ? what.place : what.to,
    operator: what.kind === "train" ? what.operator : undefined,
    platform: undefined,
    aimedAt: plannedAt,
    expectedAt: undefined,
    delayMinutes: undefined,
    state: "scheduled",
  };
}

/** A train with an id has the same key in every answer. */
function keyOf({ trainUid, startDate, aimedAt, place, operator = "", mode }: BoardRow): string {
  return trainUid === undefined
    ? `${aimedAt.epochMilliseconds} ${mode} ${place} ${operator}`
    : `${trainUid} ${startDate ?? formatUkDate(aimedAt)}`;
}
