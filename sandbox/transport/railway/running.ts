// What people know about a train at a given time: what has happened by then, and what they can expect from that.
import { fateOf, type Fate } from "./fate.ts";
import type { Train } from "./train.ts";

/** The service's thirteen statuses. */
type TrainStatus =
  | "ARRIVED"
  | "BUS"
  | "CANCELLED"
  | "CHANGE OF IDENTITY"
  | "CHANGE OF ORIGIN"
  | "DELAYED"
  | "EARLY"
  | "LATE"
  | "NO REPORT"
  | "OFF ROUTE"
  | "ON TIME"
  | "REINSTATEMENT"
  | "STARTS HERE";

export interface LiveCall {
  /** `null` once the train has gone. */
  readonly status: TrainStatus | null;
  readonly expectedArriveMs: number | undefined;
  readonly expectedDepartMs: number | undefined;
  /** When the call is really over: the departure, or the arrival at the train's end. Boards show the train until then. */
  readonly overMs: number;
}

/** The side of a call. A train that starts late on its way or ends early has another status on each side. */
export type CallSide = "arrival" | "departure";

const MINUTE_MS = 60_000;
/** How long before its start it becomes known that a train will start late. */
const FOREWARNED_MS = 15 * MINUTE_MS;

/** Throws a RangeError if the train has no such call. */
export function liveCall(train: Train, at: number, side: CallSide, nowMs: number, seed: number): LiveCall {
  const fate = fateOf(train, seed);
  const call = train.calls[at];
  if (!call) {
    throw new RangeError(`${train.uid} has no call ${at}`);
  }
  const isKnownCancelled = isCancelled(fate, at, side) && nowMs >= fate.cancelledKnownMs;
  if (isKnownCancelled) {
    const overMs = call.departMs ?? call.arriveMs ?? 0;
    return { status: "CANCELLED", expectedArriveMs: undefined, expectedDepartMs: undefined, overMs };
  }
  const aimedMs = [call.arriveMs, call.departMs] as const;
  const real = fate.lateness[at] ?? { arrive: 0, depart: 0 };
  const arrivedMs = aimedMs[0] === undefined ? undefined : aimedMs[0] + real.arrive * MINUTE_MS;
  // No train leaves before it has arrived.
  const departedMs =
    aimedMs[1] === undefined ? undefined : Math.max(aimedMs[1] + real.depart * MINUTE_MS, arrivedMs ?? 0);
  const overMs = departedMs ?? arrivedMs ?? 0;
  if (overMs <= nowMs) {
    return { status: null, expectedArriveMs: undefined, expectedDepartMs: undefined, overMs };
  }
  const startsHere = fate.cancelled?.from === 0 && fate.cancelled.to === at && nowMs >= fate.cancelledKnownMs;
  const hasArrived = arrivedMs !== undefined && arrivedMs <= nowMs;
  const lateMs = expectedLateness(train, fate, at, nowMs) * MINUTE_MS;
  const expectedAt = (aimed: number | undefined) => {
    if (aimed === undefined) {
      return undefined;
    }
    // Expected times are never before the current minute. An unreported train has only its aimed times.
    const expected = aimed + lateMs;
    return fate.isSilent ? aimed : Math.max(expected, Math.floor(nowMs / MINUTE_MS) * MINUTE_MS);
  };
  const isEarly = real.arrive < 0 && lateMs === 0 && hasStarted(train, nowMs);
  const expectedArriveMs = hasArrived
    ? arrivedMs
    : isEarly && aimedMs[0] !== undefined
      ? Math.max(aimedMs[0] - MINUTE_MS, Math.floor(nowMs / MINUTE_MS) * MINUTE_MS)
      : expectedAt(aimedMs[0]);
  const expected = {
    expectedArriveMs: startsHere ? undefined : expectedArriveMs,
    expectedDepartMs: hasArrived ? departedMs : expectedAt(aimedMs[1]),
    overMs,
  };
  const status = statusFor(train, fate, at, {
    startsHere,
    hasArrived,
    isEarly,
    isLate: (expected.expectedDepartMs ?? expected.expectedArriveMs ?? 0) > (aimedMs[1] ?? aimedMs[0] ?? 0),
    isHeld: fate.hold !== undefined && nowMs >= fate.hold.fromMs && nowMs < fate.hold.untilMs,
  });
  return status === "DELAYED"
    ? { status, expectedArriveMs: undefined, expectedDepartMs: undefined, overMs }
    : { status, ...expected };
}

/** Whether a side of a call is cancelled. The last call of a train that ends early still has its arrival. */
function isCancelled(fate: Fate, at: number, side: CallSide): boolean {
  const cut = fate.cancelled;
  if (!cut) {
    return false;
  }
  const isInside = at >= cut.from && at < cut.to;
  const endsHere = side === "departure" && at === cut.from - 1;
  const startsHere = side === "arrival" && cut.from === 0 && at === cut.to;
  return isInside || endsHere || startsHere;
}

interface CallFacts {
  readonly startsHere: boolean;
  readonly hasArrived: boolean;
  readonly isEarly: boolean;
  readonly isLate: boolean;
  readonly isHeld: boolean;
}

function statusFor(train: Train, fate: Fate, at: number, facts: CallFacts): TrainStatus {
  if (train.mode === "bus") {
    return "BUS";
  }
  if (facts.startsHere) {
    return "CHANGE OF ORIGIN";
  }
  if (facts.hasArrived) {
    return "ARRIVED";
  }
  if (facts.isHeld) {
    return "DELAYED";
  }
  if (at === 0) {
    return "STARTS HERE";
  }
  if (fate.isSilent) {
    return "NO REPORT";
  }
  if (fate.oddity) {
    return fate.oddity;
  }
  if (facts.isLate) {
    return "LATE";
  }
  // The real service sometimes sends either status with an expected time that equals the aimed one.
  return facts.isEarly || fate.statusRoll < 0.08 ? "EARLY" : fate.statusRoll < 0.12 ? "LATE" : "ON TIME";
}

/** The delay that people expect at a call, in minutes, from where the train was last seen. */
function expectedLateness(train: Train, fate: Fate, at: number, nowMs: number): number {
  if (fate.announcedMinutes !== undefined) {
    return fate.announcedMinutes;
  }
  let seenAt = -1;
  let late = 0;
  for (let each = 0; each <= at; each += 1) {
    const call = train.calls[each];
    const real = fate.lateness[each];
    if (!call || !real) {
      break;
    }
    if (call.arriveMs !== undefined && call.arriveMs + real.arrive * MINUTE_MS <= nowMs) {
      seenAt = each;
      late = Math.max(0, real.arrive);
    }
    if (call.departMs === undefined || call.departMs + real.depart * MINUTE_MS > nowMs) {
      break;
    }
    seenAt = each;
    late = real.depart;
  }
  const startMs = train.calls[0]?.departMs ?? 0;
  if (seenAt < 0) {
    const atStart = fate.lateness[0]?.depart ?? 0;
    return nowMs >= startMs - FOREWARNED_MS ? recovered(atStart, at) : 0;
  }
  // A train that is overdue at its next stop has become later since it was last seen.
  const next = train.calls[seenAt + 1];
  const overdue = next?.arriveMs === undefined ? 0 : Math.floor((nowMs - next.arriveMs) / MINUTE_MS);
  return recovered(Math.max(late, overdue), at - seenAt);
}

/** People expect a train to recover a minute at every third stop. */
function recovered(late: number, stops: number): number {
  return Math.max(0, late - Math.floor(stops / 3));
}

function hasStarted(train: Train, nowMs: number): boolean {
  return (train.calls[0]?.departMs ?? Infinity) <= nowMs;
}
