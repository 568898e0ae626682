// A station's board at a moment: which trains stand on it, in which order, and how they stand.
import { liveCall, type CallSide, type LiveCall } from "./running.ts";
import type { Call, Train } from "./train.ts";
import type { Timetable } from "./timetable.ts";

/** What is asked of a board. Codes are upper-case CRS. */
export interface BoardQuery {
  readonly crs: string;
  readonly side: CallSide;
  /** Aimed times from here up to and without `toMs`. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether late trains of before `fromMs` that are still to come are shown, and gone ones are not. */
  readonly followsTrains: boolean;
  /** Each filter passes a train that meets one of its codes; an empty one passes all. */
  readonly callingAt: readonly string[];
  readonly calledAt: readonly string[];
  /** Freight and empty trains appear unless they are left out. */
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
/** No train of this country is later than this and still comes. */
const LATEST_MS = 100 * MINUTE_MS;

/** The trains in the order of their aimed times at this side of the call. */
export function boardOf(railway: Railway, query: BoardQuery, nowMs: number): readonly BoardEntry[] {
  const { timetable, seed } = railway;
  const earliestMs = query.followsTrains ? query.fromMs - LATEST_MS : query.fromMs;
  // Arrivals come some minutes before the departures by which visits are found.
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
      !passes(train, at, query)
    ) {
      continue;
    }
    const live = liveCall(train, at, query.side, nowMs, seed);
    // To the minute: a train of 17:30 is on the board of 17:30:40.
    const isStillToCome = live.overMs > nowMs && live.status !== "CANCELLED";
    if (aimedMs >= query.fromMs || (query.followsTrains && isStillToCome)) {
      entries.push({ train, at, call, live });
    }
  }
  return entries
    .toSorted((a, b) => (aimedAt(a.call, query.side) ?? 0) - (aimedAt(b.call, query.side) ?? 0))
    .slice(0, query.limit);
}

/** The aimed time at one side of a call; `undefined` where the train starts or ends. */
export function aimedAt(call: Call, side: CallSide): number | undefined {
  return side === "departure" ? call.departMs : call.arriveMs;
}

function passes(train: Train, at: number, query: BoardQuery): boolean {
  return (
    (!query.passengerOnly || train.kind !== "freight") &&
    meets(train.calls.slice(at + 1), query.callingAt) &&
    meets(train.calls.slice(0, at), query.calledAt)
  );
}

function meets(calls: readonly Call[], codes: readonly string[]): boolean {
  return codes.length === 0 || calls.some((call) => codes.includes(call.station.crs));
}
