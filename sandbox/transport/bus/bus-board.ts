// A bus stop at a moment: which buses are due, and what is known of those on their way.
import type { Stop } from "../local/stop.ts";
import { localNetwork } from "../local/local-network.ts";
import { dueAt, tripsAt } from "../local/trips.ts";
import type { Trip } from "../local/trips.ts";
import { hash } from "../railway/chance.ts";

/** A bus due at the stop. */
export interface BusDue {
  readonly trip: Trip;
  readonly dueMs: number;
  /** When it is expected; `undefined` while nobody follows it. */
  readonly expectedMs: number | undefined;
}

export interface BusQuery {
  readonly stop: Stop;
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether buses are followed; gone ones are then left out. */
  readonly isLive: boolean;
}

const MINUTE_MS = 60_000;
/** No bus is later than this and still comes. */
const LATEST_MS = 20 * MINUTE_MS;
/** A bus is followed from a little before it sets off. */
const FOLLOWED_BEFORE_MS = 10 * MINUTE_MS;

/** Buses in the order in which they are due. */
export function busesAt(
  { stop, fromMs, toMs, isLive }: BusQuery,
  nowMs: number,
  seed: number,
): readonly BusDue[] {
  const earliestMs = isLive ? fromMs - LATEST_MS : fromMs;
  return localNetwork()
    .callsAt(stop.atcocode)
    .flatMap((call) =>
      tripsAt(call, earliestMs, toMs, seed).flatMap((trip): readonly BusDue[] => {
        const dueMs = dueAt(trip, call.at);
        const expectedMs = isLive ? expectedAt(trip, call.at, nowMs, seed) : undefined;
        const isShown =
          dueMs >= fromMs ? expectedMs === undefined || expectedMs >= fromMs : (expectedMs ?? 0) >= fromMs;
        return isShown ? [{ trip, dueMs, expectedMs }] : [];
      }),
    )
    .toSorted((a, b) => a.dueMs - b.dueMs || a.trip.line.id - b.trip.line.id);
}

/** One bus in seven is not followed; the others lose minutes along the way, but never leave early. */
function expectedAt(trip: Trip, at: number, nowMs: number, seed: number): number | undefined {
  const luck = hash(seed, trip.line.id, trip.date, trip.number, "bus");
  if (luck % 7 === 0 || nowMs < trip.startMs - FOLLOWED_BEFORE_MS) {
    return undefined;
  }
  const lateAtTheEnd = (luck >>> 8) % 3 === 0 ? (luck >>> 12) % 12 : (luck >>> 12) % 4;
  const late = Math.round((lateAtTheEnd * (at + 1)) / trip.line.stops.length);
  return dueAt(trip, at) + late * MINUTE_MS;
}
