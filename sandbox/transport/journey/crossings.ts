// How to get from one station to another without a train: on foot where they are near, else by tube, tram or boat.
import type { Position } from "../geography/position.ts";
import { gradual, type Steps } from "../gradual.ts";
import type { LocalMode } from "../local/local-line.ts";
import { localNetwork } from "../local/local-network.ts";
import { placeGrid, placesNear } from "../places/place-grid.ts";
import { STATIONS } from "../railway/stations.ts";
import type { RailStation } from "../railway/stations.ts";
import { pathOf, walkMs } from "./local-path.ts";
import type { LocalPath, LocalRide } from "./local-path.ts";
import type { Crossing } from "./search-types.ts";

/** A crossing, and how it is made. */
export interface StationCrossing extends Crossing {
  readonly path: LocalPath;
}

const MINUTE_MS = 60_000;
/** As the crow flies. */
const WALKED_METRES = 950;
const NEAR_A_STOP_METRES = 600;
const FIND_THE_WAY_MS = 4 * MINUTE_MS;
/** What takes longer is a journey of its own. */
const MOST_MINUTES = 80;

/** Between all stations; worked out once, at first use. */
export const crossings = gradual(createCrossings);

/** From the station at this position in `STATIONS`. */
export function crossingsFrom(station: number): readonly StationCrossing[] {
  return crossings.now()[station] ?? [];
}

const positions = new Map(STATIONS.map((station, at) => [station.crs, at]));

function* createCrossings(): Steps<readonly (readonly StationCrossing[])[]> {
  yield* placeGrid.steps();
  const all: StationCrossing[][] = [];
  const served: { readonly station: RailStation; readonly at: number }[] = [];
  for (const [at, station] of STATIONS.entries()) {
    all.push(walksFrom(station));
    if (stopsNear(station, NEAR_A_STOP_METRES, ["tube", "tram", "boat"]).length > 0) {
      served.push({ station, at });
    }
    yield;
  }
  for (const { station, at } of served) {
    const reach = reachFrom(station, ["tube", "tram", "boat"]);
    for (const other of served) {
      const isWalked = all[at]?.some((crossing) => crossing.to === other.at);
      const path = other.at === at || isWalked ? undefined : bestPath(station, other.station, reach);
      if (path && path.takesMs <= MOST_MINUTES * MINUTE_MS) {
        all[at]?.push({ to: other.at, takesMs: path.takesMs + FIND_THE_WAY_MS, path });
      }
    }
    yield;
  }
  return all;
}

function walksFrom(station: RailStation): StationCrossing[] {
  return placesNear(station, WALKED_METRES).flatMap(({ place }) => {
    const to = place.station && place.station !== station ? positions.get(place.station.crs) : undefined;
    return to === undefined
      ? []
      : [{ to, takesMs: walkMs(station, place) + FIND_THE_WAY_MS, path: pathOf(station, place, []) }];
  });
}

/** Which stops can be reached with at most one change, by the line's side, and how. */
type Reach = ReadonlyMap<string, LocalPath>;

/** By ATCO code of the stop where one gets off. */
export function reachFrom(from: Position, modes: readonly LocalMode[]): Reach {
  const reached = new Map<string, LocalPath>();
  const keep = (code: string, stop: Position, rides: readonly LocalRide[]) => {
    const path = pathOf(from, stop, rides);
    if (path.takesMs < (reached.get(code)?.takesMs ?? Infinity)) {
      reached.set(code, path);
    }
  };
  const network = localNetwork();
  const first: { readonly code: string; readonly ride: LocalRide }[] = [];
  for (const code of stopsNear(from, NEAR_A_STOP_METRES, modes)) {
    for (const { line, at } of network.callsAt(code)) {
      line.stops.slice(at + 1).forEach((stop, ahead) => {
        const ride = { line, from: at, to: at + 1 + ahead };
        keep(stop.atcocode, stop, [ride]);
        first.push({ code: stop.atcocode, ride });
      });
    }
  }
  for (const { code, ride } of first) {
    // Change only where the first line is the best way to get.
    if (reached.get(code)?.rides[0] !== ride) {
      continue;
    }
    for (const { line, at } of network.callsAt(code)) {
      if (line.name !== ride.line.name && modes.includes(line.mode)) {
        line.stops.slice(at + 1).forEach((stop, ahead) => {
          keep(stop.atcocode, stop, [ride, { line, from: at, to: at + 1 + ahead }]);
        });
      }
    }
  }
  return reached;
}

/** The best of what reaches a stop near the end. */
export function bestPath(
  from: Position,
  to: Position,
  reach: Reach,
  modes: readonly LocalMode[] = ["tube", "tram", "boat"],
): LocalPath | undefined {
  let best: LocalPath | undefined;
  for (const code of stopsNear(to, NEAR_A_STOP_METRES, modes)) {
    const rides = reach.get(code)?.rides;
    const path = rides && pathOf(from, to, rides);
    if (path && path.takesMs < (best?.takesMs ?? Infinity)) {
      best = path;
    }
  }
  return best;
}

/** ATCO codes of the stops of these modes so near. */
function stopsNear(position: Position, metres: number, modes: readonly LocalMode[]): readonly string[] {
  const types = new Set<string>(modes.map((mode) => TYPE_OF[mode]));
  return placesNear(position, metres).flatMap(({ place }) =>
    place.stop && types.has(place.type) ? [place.stop.atcocode] : [],
  );
}

const TYPE_OF = {
  bus: "bus_stop",
  tube: "tube_station",
  tram: "tram_stop",
  boat: "ferry_terminal",
} as const satisfies Record<LocalMode, string>;
