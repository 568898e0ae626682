// A bus stop at a moment: which buses are due, and what is known of those on their way.
import { departuresAt, localNetwork, type LocalLine, type Stop } from "../map/local-lines.ts";
import { metresBetween, nearestOf } from "../map/position.ts";
import { hash } from "../railway/chance.ts";
import { STATIONS } from "../railway/stations.ts";

/** A bus due at the stop. */
export interface BusDue {
  readonly line: LocalLine;
  readonly direction: "inbound" | "outbound";
  /** Where it ends, e.g. `Poppleton`, or `Mill Lane, York` where no station is near. */
  readonly towards: string;
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
/** Stations so near to where a line passes its own are no destination; those so near to its end are. */
const OWN_METRES = 1_000;
const NEAR_METRES = 3_000;
/** No bus is later than this and still comes. */
const LATEST_MS = 12 * MINUTE_MS;
/** A bus is followed once it is so near. */
const FOLLOWED_MS = 40 * MINUTE_MS;

/** Buses in the order in which they are due. */
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

/** One bus in seven is not followed; of the others one in three is late, and none leaves early. */
function expectedAt({ id }: LocalLine, dueMs: number, nowMs: number, seed: number): number | undefined {
  const luck = hash(seed, id, dueMs, "bus");
  if (luck % 7 === 0 || nowMs < dueMs - FOLLOWED_MS) {
    return undefined;
  }
  return dueMs + ((luck >>> 8) % 3 === 0 ? (luck >>> 12) % 12 : 0) * MINUTE_MS;
}
