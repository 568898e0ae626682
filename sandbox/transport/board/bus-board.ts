// The buses that are due at a stop at a given time, and the expected times of those that are tracked.
import { departuresAt, localNetwork, type LocalLine, type Stop } from "../map/local-lines.ts";
import { metresBetween, nearestOf } from "../map/position.ts";
import { hash } from "../railway/chance.ts";
import { STATIONS } from "../railway/stations.ts";

export interface BusDue {
  readonly line: LocalLine;
  readonly direction: "inbound" | "outbound";
  /** The last stop's place, e.g. `Poppleton`, or `Mill Lane, York` if no station is near. */
  readonly towards: string;
  readonly dueMs: number;
  /** `undefined` if the bus is not tracked. */
  readonly expectedMs: number | undefined;
}

export interface BusQuery {
  readonly stop: Stop;
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether expected times are used; buses that have left are then left out. */
  readonly isLive: boolean;
}

const MINUTE_MS = 60_000;
/** A destination is a station within NEAR_METRES of the line's end, but not within OWN_METRES of its middle. */
const OWN_METRES = 1_000;
const NEAR_METRES = 3_000;
/** The greatest delay of a bus. */
const LATEST_MS = 12 * MINUTE_MS;
/** How long before its time a bus begins to be tracked. */
const TRACKED_MS = 40 * MINUTE_MS;

/** Buses are ordered by the times at which they are due. */
export function busesAt({ stop, fromMs, toMs, isLive }: BusQuery, nowMs: number, seed: number) {
  const earliestMs = isLive ? fromMs - LATEST_MS : fromMs;
  const found: BusDue[] = [];
  for (const call of localNetwork().callsAt(stop.atcocode)) {
    const { line } = call;
    for (const towards of ["first", "last"] as const) {
      const destination = destinationOf(line, towards);
      for (const dueMs of departuresAt(call, towards, earliestMs, toMs, seed)) {
        const expectedMs = isLive ? expectedAt(line, dueMs, nowMs, seed) : undefined;
        if ((expectedMs ?? dueMs) >= fromMs) {
          found.push({
            line,
            direction: towards === "first" ? "inbound" : "outbound",
            towards: destination,
            dueMs,
            expectedMs,
          });
        }
      }
    }
  }
  return found.toSorted((a, b) => a.dueMs - b.dueMs || a.line.id - b.line.id);
}

function destinationOf({ stops }: LocalLine, towards: "first" | "last"): string {
  const end = stops.at(towards === "first" ? 0 : -1);
  const middle = stops[Math.floor(stops.length / 2)];
  if (!end || !middle) {
    return "";
  }
  const others = STATIONS.filter((station) => metresBetween(station, middle) > OWN_METRES);
  const near = nearestOf(end, others, (station) => station);
  return near && metresBetween(near, end) <= NEAR_METRES
    ? near.name.replaceAll(/^London | \(.*\)$/g, "")
    : `${end.name}, ${end.locality}`;
}

/** One bus in seven is not tracked. One in three of the others is late, and none is early. */
function expectedAt({ id }: LocalLine, dueMs: number, nowMs: number, seed: number): number | undefined {
  const roll = hash(seed, id, dueMs, "bus");
  if (roll % 7 === 0 || nowMs < dueMs - TRACKED_MS) {
    return undefined;
  }
  return dueMs + ((roll >>> 8) % 3 === 0 ? (roll >>> 12) % 12 : 0) * MINUTE_MS;
}
