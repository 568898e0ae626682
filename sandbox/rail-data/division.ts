// Trains that divide. The simulated railway has none, so for some trains, another train that starts or calls at a station
// on their way is presented as the portion that leaves there.
import { hash } from "../transport/railway/chance.ts";
import type { Railway } from "../transport/railway/board.ts";
import type { Call, Train } from "../transport/railway/train.ts";
import { coachesOf } from "./words.ts";

const MINUTE_MS = 60_000;
/** One regional train in this many divides. */
const EVERY = 3;
/** The portion continues at most this many minutes after the train. */
const WITHIN_MINUTES = 15;

/** Where a train divides, and the calls of the portion that leaves, beginning with the call there. */
export interface Division {
  /** The index of the train's call at which it divides. */
  readonly at: number;
  readonly calls: readonly Call[];
}

/** `undefined` if the train does not divide; trains of one to three coaches never do. */
export function divisionOf(train: Train, { timetable, seed }: Railway): Division | undefined {
  const coaches = coachesOf(train, seed);
  const isLong = coaches >= 4 || coaches === 0;
  if (
    !isLong ||
    train.mode !== "train" ||
    train.kind !== "regional" ||
    hash(seed, train.uid, "divides") % EVERY !== 0
  ) {
    return undefined;
  }
  const served = new Set(train.calls.map(({ station }) => station.crs));
  for (const [at, call] of train.calls.entries()) {
    const leavesMs = call.departMs;
    if (at < 2 || leavesMs === undefined || at === train.calls.length - 1) {
      continue;
    }
    const found = timetable
      .trainsAt(call.station.crs, leavesMs + MINUTE_MS, leavesMs + WITHIN_MINUTES * MINUTE_MS)
      .find(({ train: other, at: there }) => {
        const [, ...ahead] = other.calls.slice(there);
        return (
          other.operator === train.operator &&
          other.mode === "train" &&
          ahead.length > 0 &&
          ahead.every(({ station }) => !served.has(station.crs))
        );
      });
    if (found) {
      return { at, calls: found.train.calls.slice(found.at) };
    }
  }
  return undefined;
}
