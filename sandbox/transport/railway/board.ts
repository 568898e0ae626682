// A station's board at a given time: its trains in order, and their live state.
import { liveCall, type CallSide, type LiveCall } from "./running.ts";
import type { Call, Train } from "./train.ts";
import type { Timetable } from "./timetable.ts";

/** A query for a board. Station codes are upper-case CRS. */
export interface BoardQuery {
  readonly crs: string;
  readonly side: CallSide;
  /** The board contains aimed times from `fromMs` until before `toMs`. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether the board also shows late trains from before `fromMs` that have not left yet. */
  readonly followsTrains: boolean;
  /** A train must call at one of these stations after this one, and at one of those before. Empty: any train. */
  readonly callingAt: readonly string[];
  readonly calledAt: readonly string[];
  readonly passengerOnly: boolean;
  readonly limit: number;
}

export interface BoardEntry {
  readonly train: Train;
  readonly at: number;
  readonly call: Call;
  readonly live: LiveCall;
}

export interface Railway {
  readonly timetable: Timetable;
  readonly seed: number;
}

const MINUTE_MS = 60_000;
/** The greatest delay of a train. */
const LATEST_MS = 100 * MINUTE_MS;

/** Trains are ordered by the aimed times of the queried side. */
export function boardOf(railway: Railway, query: BoardQuery, nowMs: number): readonly BoardEntry[] {
  const { timetable, seed } = railway;
  const earliestMs = query.followsTrains ? query.fromMs - LATEST_MS : query.fromMs;
  // Visits are found by departure, which may be some minutes after the arrival.
  const slackMs = query.side === "arrival" ? 60 * MINUTE_MS : 0;
  const entries: BoardEntry[] = [];
  for (const { train, at } of timetable.trainsAt(query.crs, earliestMs, query.toMs + slackMs)) {
    const call = train.calls[at];
    const aimedMs = call && aimedAt(call, query.side);
    if (
      !call ||
      aimedMs === undefined ||
      aimedMs < earliestMs ||
      aimedMs >= query.toMs ||
      !isIncluded(train, at, query)
    ) {
      continue;
    }
    const live = liveCall(train, at, query.side, nowMs, seed);
    // `fromMs` is a whole minute, so a train at 17:30 is on the board of 17:30:40.
    const isStillToCome = live.overMs > nowMs && live.status !== "CANCELLED";
    if (aimedMs >= query.fromMs || (query.followsTrains && isStillToCome)) {
      entries.push({ train, at, call, live });
    }
  }
  return entries
    .toSorted((a, b) => (aimedAt(a.call, query.side) ?? 0) - (aimedAt(b.call, query.side) ?? 0))
    .slice(0, query.limit);
}

/** The aimed time at one side of a call; `undefined` for the arrival at a train's start and the departure at its end. */
export function aimedAt(call: Call, side: CallSide): number | undefined {
  return side === "departure" ? call.departMs : call.arriveMs;
}

function isIncluded(train: Train, at: number, query: BoardQuery): boolean {
  return (
    (!query.passengerOnly || train.kind !== "freight") &&
    callsAtAny(train.calls.slice(at + 1), query.callingAt) &&
    callsAtAny(train.calls.slice(0, at), query.calledAt)
  );
}

function callsAtAny(calls: readonly Call[], codes: readonly string[]): boolean {
  return codes.length === 0 || calls.some((call) => codes.includes(call.station.crs));
}
