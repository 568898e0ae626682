// Where a journey may begin or end on the railway: the stations around its ends, and how to get between them.
import type { Position } from "../geography/position.ts";
import { localNetwork } from "../local/local-network.ts";
import { placesNear } from "../places/place-grid.ts";
import { STATIONS } from "../railway/stations.ts";
import { crossingsFrom } from "./crossings.ts";
import type { Waypoint } from "./leg.ts";
import { pathOf } from "./local-path.ts";
import type { LocalPath, LocalRide } from "./local-path.ts";
import type { End } from "./search-types.ts";

/** An end with the way between it and the place itself; `undefined` where the place is the station. */
export interface PlaceEnd extends End {
  readonly path: LocalPath | undefined;
}

/** Which way the path goes: from the place to the stations, or from them to it. */
export type EndSide = "start" | "end";

/** As the crow flies, in metres. */
const WALKED = 1_700;
const NEAR_A_STOP = 1_100;
const STATION_NEAR_A_STOP = 450;
/** Beyond this nobody walks to a train even where nothing else goes. */
const WALKED_IN_NEED = 6_000;
const MOST_ENDS = 10;
/** Between the street and the platform. */
export const PLATFORM_MS = 2 * 60_000;

const positionOf = new Map(STATIONS.map((station, at) => [station.crs, at]));

/** The nearest first. Empty where no station is within reach. */
export function endsAround(place: Waypoint, side: EndSide, modes: ReadonlySet<string>): readonly PlaceEnd[] {
  const { station } = place.place ?? {};
  const own = station && positionOf.get(station.crs);
  if (own !== undefined) {
    const across = crossingsFrom(own)
      .filter(({ path }) => path.rides.every(({ line }) => modes.has(line.mode)))
      .flatMap(({ to }): readonly PlaceEnd[] => {
        const back = side === "start" ? own : to;
        const path = crossingsFrom(back).find((each) => each.to === (side === "start" ? to : own));
        return path ? [{ station: to, takesMs: path.takesMs, path: path.path }] : [];
      });
    return [{ station: own, takesMs: 0, path: undefined }, ...across];
  }
  const ends = new Map<number, PlaceEnd>();
  const keep = (at: number, path: LocalPath) => {
    const takesMs = path.takesMs + PLATFORM_MS;
    if (takesMs < (ends.get(at)?.takesMs ?? Infinity)) {
      ends.set(at, { station: at, takesMs, path });
    }
  };
  const walks = stationsWithin(place, WALKED_IN_NEED).toSorted((a, b) => a.metres - b.metres);
  for (const { at, metres } of walks) {
    const target = STATIONS[at];
    if (target && metres <= WALKED) {
      keep(at, side === "start" ? pathOf(place, target, []) : pathOf(target, place, []));
    }
  }
  for (const { at, rides } of ridesAround(place, side, modes)) {
    const target = STATIONS[at];
    if (target) {
      keep(at, side === "start" ? pathOf(place, target, rides) : pathOf(target, place, rides));
    }
  }
  const nearest = walks[0] && STATIONS[walks[0].at];
  if (ends.size === 0 && walks[0] && nearest) {
    keep(walks[0].at, pathOf(place, nearest, []));
  }
  return [...ends.values()].toSorted((a, b) => a.takesMs - b.takesMs).slice(0, MOST_ENDS);
}

/** Stretches of local lines between stops near the place and stops near stations. */
function ridesAround(
  place: Waypoint,
  side: EndSide,
  modes: ReadonlySet<string>,
): readonly { readonly at: number; readonly rides: readonly LocalRide[] }[] {
  const found: { at: number; rides: readonly LocalRide[] }[] = [];
  for (const stop of stopsWithin(place, NEAR_A_STOP)) {
    for (const { line, at } of localNetwork().callsAt(stop)) {
      if (!modes.has(line.mode)) {
        continue;
      }
      line.stops.forEach((other, to) => {
        const isAhead = side === "start" ? to > at : to < at;
        // Buses by the stops at stations, which have letters, so that not every stop need be looked at.
        if (!isAhead || (line.mode === "bus" && other.indicator === undefined)) {
          return;
        }
        for (const station of stationsWithin(other, STATION_NEAR_A_STOP)) {
          const ride = side === "start" ? { line, from: at, to } : { line, from: to, to: at };
          found.push({ at: station.at, rides: [ride] });
        }
      });
    }
  }
  return found;
}

function stationsWithin(
  position: Position,
  mostMetres: number,
): readonly { readonly at: number; readonly metres: number }[] {
  return placesNear(position, mostMetres).flatMap(({ place, metres }) => {
    const at = place.station && positionOf.get(place.station.crs);
    return at === undefined ? [] : [{ at, metres }];
  });
}

function stopsWithin(position: Position, metres: number): readonly string[] {
  return placesNear(position, metres).flatMap(({ place }) => (place.stop ? [place.stop.atcocode] : []));
}
