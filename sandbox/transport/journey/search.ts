// Which trains to take, whatever the time: round by round, one train more, where one can be, and how soon with usual
// waits (after RAPTOR: Delling, Pajor, Werneck). Trains of the day are looked up afterwards.
import { LINES, linesAt } from "../railway/network.ts";
import { STATIONS } from "../railway/stations.ts";
import { courseOf } from "../railway/timings.ts";

/** How one can be at a station, told from its end. Stations by their positions in `STATIONS`. */
export interface Reached {
  readonly station: number;
  readonly minutes: number;
  readonly by: "start" | "train" | "crossing";
  readonly before: Reached | undefined;
}

/** A way between stations that is no train. */
export interface Crossing {
  readonly to: number;
  readonly minutes: number;
}

/** A way of running a line. */
interface Pattern {
  readonly stops: readonly { readonly station: number; readonly arrive: number; readonly depart: number }[];
  /** The usual wait for a train. */
  readonly waitMinutes: number;
}

const MOST_TRAINS = 6;
export const positionOf: ReadonlyMap<string, number> = new Map(STATIONS.map(({ crs }, at) => [crs, at]));

let patterns: readonly Pattern[] | undefined;

/** Between arriving by one train and leaving by another: the more lines meet, the further the platforms are apart. */
export function changeMinutes(station: number): number {
  const lines = linesAt(STATIONS[station]?.crs ?? "");
  return lines >= 16 ? 10 : lines >= 8 ? 7 : lines >= 3 ? 5 : 4;
}

/** The soonest way with each number of trains, where more trains are sooner. `starts` and `ends` tell the minutes to and from stations. */
export function searchWays(
  starts: ReadonlyMap<number, number>,
  ends: ReadonlyMap<number, number>,
  crossingsFrom: (station: number) => readonly Crossing[],
): readonly Reached[] {
  patterns ??= createPatterns();
  let reached: (Reached | undefined)[] = [];
  for (const [station, minutes] of starts) {
    reached[station] = { station, minutes, by: "start", before: undefined };
  }
  const found: Reached[] = [];
  let soonest = Infinity;
  for (let trains = 1; trains <= MOST_TRAINS; trains += 1) {
    const before = reached;
    reached = [...before];
    const improve = (next: Reached) => {
      if (next.minutes < soonest && next.minutes < (reached[next.station]?.minutes ?? Infinity)) {
        reached[next.station] = next;
      }
    };
    for (const pattern of patterns) {
      rideAlong(pattern, before, improve);
    }
    for (const each of reached.filter((now) => now !== undefined && now !== before[now.station])) {
      for (const { to, minutes } of each ? crossingsFrom(each.station) : []) {
        improve({ station: to, minutes: (each?.minutes ?? 0) + minutes, by: "crossing", before: each });
      }
    }
    for (const [station, minutesOn] of ends) {
      const there = reached[station];
      if (there && there !== before[station] && there.minutes + minutesOn < soonest) {
        soonest = there.minutes + minutesOn;
        found[trains] = there;
      }
    }
  }
  return found.filter((each) => each !== undefined);
}

/** Boards where that is soonest in all, and tells of every stop after it. */
function rideAlong(
  { stops, waitMinutes }: Pattern,
  before: readonly (Reached | undefined)[],
  improve: (next: Reached) => void,
): void {
  let boarded: Reached | undefined;
  /** When the train boarded would be at the start of its line. */
  let zero = Infinity;
  for (const { station, arrive, depart } of stops) {
    if (boarded) {
      improve({ station, minutes: zero + arrive, by: "train", before: boarded });
    }
    const here = before[station];
    const change = here?.by === "train" ? changeMinutes(station) : 0;
    if (here && here.minutes + change + waitMinutes - depart < zero) {
      boarded = here;
      zero = here.minutes + change + waitMinutes - depart;
    }
  }
}

function createPatterns(): readonly Pattern[] {
  return LINES.filter(({ kind }) => kind !== "freight").flatMap((line) => {
    const { frequency } = line;
    const turns = line.stops.some(({ calls }) => calls !== "all")
      ? (["even", "odd"] as const)
      : (["even"] as const);
    const interval = "everyMinutes" in frequency ? frequency.everyMinutes : (16 * 60) / frequency.timesADay;
    return (["down", "up"] as const).flatMap((direction) =>
      turns.map((turn) => {
        const { stations, timings } = courseOf(line, direction, turn);
        const stops = timings.flatMap((timing, at) => {
          const station = positionOf.get(stations[at]?.crs ?? "");
          return timing && station !== undefined ? [{ station, ...timing }] : [];
        });
        return { stops, waitMinutes: (interval * turns.length) / 2 };
      }),
    );
  });
}
