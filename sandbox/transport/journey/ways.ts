// Ways from one place to another, whatever the time: on foot, by local lines, or by trains and what lies between them.
import { localNetwork, type LocalMode } from "../map/local-lines.ts";
import { metresBetween } from "../map/position.ts";
import { STATIONS, type RailStation } from "../railway/stations.ts";
import { stationWaypoint, type Waypoint } from "./leg.ts";
import { NEAR_A_STOP, pathWithin, reachFrom, reversed, walkMinutes, type LocalPath } from "./local-path.ts";
import { positionOf, searchWays, type Crossing } from "./search.ts";

export type Step =
  | { readonly kind: "train"; readonly from: RailStation; readonly to: RailStation }
  | { readonly kind: "local"; readonly from: Waypoint; readonly to: Waypoint; readonly path: LocalPath };

/** From the first step to the last. */
export interface Way {
  readonly steps: readonly Step[];
  /** About how long it takes. */
  readonly minutes: number;
}

/** A station near a place: how one gets there, or from there. */
interface End {
  readonly minutes: number;
  /** `undefined` where the place is this station, or one that a crossing leads to it from. */
  readonly path: LocalPath | undefined;
}

/** As the crow flies, in metres. */
const WALKED = 1_700;
const WALKED_BETWEEN_STATIONS = 950;
/** Beyond this nobody walks to a train even where nothing else goes. */
const WALKED_IN_NEED = 6_000;
const WALKED_ALL_THE_WAY = 2_000;
const RIDDEN_ALL_THE_WAY = 25_000;
const STATIONS_AROUND = 8;
const PLATFORM_MINUTES = 2;
/** Nobody takes a train for a walk of this many minutes. */
const SHORT_WALK = 15;
const ALL: readonly LocalMode[] = ["bus", "tube", "tram", "boat"];
const BUT_BUSES: readonly LocalMode[] = ["tube", "tram", "boat"];
const ON_FOOT = (minutes: number): LocalPath => ({ rides: [], minutes });

let crossings: readonly (readonly Crossing[])[] | undefined;

/** Empty where there is no way. Of those by train, each has another number of trains. */
export function waysBetween(from: Waypoint, to: Waypoint): readonly Way[] {
  const metres = metresBetween(from, to);
  const walk = walkMinutes(from, to);
  const ridden = metres > RIDDEN_ALL_THE_WAY ? undefined : pathWithin(reachFrom(from, ALL), to, ALL);
  const paths = [
    ...(metres <= WALKED_ALL_THE_WAY ? [ON_FOOT(walk)] : []),
    ...(ridden && ridden.minutes < walk ? [ridden] : []),
  ];
  const direct = paths.map((path): Way => ({
    steps: [{ kind: "local", from, to, path }],
    minutes: path.minutes,
  }));
  return walk <= SHORT_WALK ? direct : [...direct, ...waysByTrain(from, to)];
}

function waysByTrain(from: Waypoint, to: Waypoint): readonly Way[] {
  const starts = endsAround(from);
  const ends = endsAround(to);
  const found = searchWays(minutesOf(starts), minutesOf(ends), crossingsFrom);
  return found.flatMap((last) => {
    const chain = [last];
    for (let at = last.before; at; at = at.before) {
      chain.unshift(at);
    }
    const end = ends.get(last.station);
    let endPath = end?.path && reversed(end.path);
    if (last.by === "crossing") {
      // What crosses to a station near the end goes there at once.
      chain.pop();
      endPath = undefined;
    }
    const points = chain.map(({ station }) => stationWaypoint(stationAt(station)));
    const [start = to] = points;
    const steps = [
      local(from, start, starts.get(chain[0]?.station ?? -1)?.path),
      ...chain.slice(1).map(({ by, station, before }): Step | undefined => {
        const [here, there] = [stationAt(before?.station ?? station), stationAt(station)];
        return by === "train"
          ? { kind: "train", from: here, to: there }
          : local(stationWaypoint(here), stationWaypoint(there));
      }),
      local(points.at(-1) ?? from, to, endPath),
    ].filter((step) => step !== undefined);
    const isWhole = steps.length === chain.length + 1;
    return isWhole ? [{ steps, minutes: last.minutes + (end?.minutes ?? 0) }] : [];
  });
}

function local(from: Waypoint, to: Waypoint, known?: LocalPath): Step | undefined {
  const path = known ?? pathBetween(from, to);
  return path && { kind: "local", from, to, path };
}

function stationAt(position: number): RailStation {
  const station = STATIONS[position];
  if (!station) {
    throw new RangeError(`There is no station ${position}`);
  }
  return station;
}

/** Stations by which a place is left or reached. Empty where none is within reach. */
function endsAround(place: Waypoint): ReadonlyMap<number, End> {
  const own = positionOf.get(place.place?.station?.crs ?? "");
  if (own !== undefined) {
    const around = crossingsFrom(own).map(({ to, minutes }) => [to, { minutes, path: undefined }] as const);
    return new Map([[own, { minutes: 0, path: undefined }], ...around]);
  }
  const reach = reachFrom(place, ALL);
  // From an island, stations across the water.
  const piers = [...reach.values()].flatMap(({ stop }) => (stop.type === "ferry_terminal" ? [stop] : []));
  const near = STATIONS.map((station, at) => ({ station, at, metres: metresBetween(place, station) }))
    .filter(
      ({ station, metres }) =>
        metres <= WALKED_IN_NEED || piers.some((pier) => metresBetween(pier, station) <= NEAR_A_STOP),
    )
    .toSorted((a, b) => a.metres - b.metres)
    .slice(0, STATIONS_AROUND);
  const ends = near.flatMap(({ station, at, metres }): readonly (readonly [number, End])[] => {
    const walk = walkMinutes(place, station);
    const ridden = pathWithin(reach, station, ALL);
    const path = metres <= WALKED && walk <= (ridden?.minutes ?? Infinity) ? ON_FOOT(walk) : ridden;
    return path ? [[at, { minutes: path.minutes + PLATFORM_MINUTES, path }]] : [];
  });
  const [nearest] = near;
  if (ends.length > 0 || !nearest) {
    return new Map(ends);
  }
  const walk = walkMinutes(place, nearest.station);
  return new Map([[nearest.at, { minutes: walk + PLATFORM_MINUTES, path: ON_FOOT(walk) }]]);
}

function pathBetween(from: Waypoint, to: Waypoint): LocalPath | undefined {
  return metresBetween(from, to) <= WALKED_BETWEEN_STATIONS
    ? ON_FOOT(walkMinutes(from, to))
    : pathWithin(reachFrom(from, BUT_BUSES), to, BUT_BUSES);
}

function crossingsFrom(station: number): readonly Crossing[] {
  crossings ??= createCrossings();
  return crossings[station] ?? [];
}

/** On foot where stations are near; else by a line that passes both, or by any two of the Underground. */
function createCrossings(): readonly (readonly Crossing[])[] {
  const lines = localNetwork().lines.filter(({ mode }) => mode !== "bus");
  const tubes = new Set(lines.flatMap(({ mode, stops }) => (mode === "tube" ? stops : [])));
  const systems = [[...tubes], ...lines.flatMap(({ mode, stops }) => (mode === "tube" ? [] : [stops]))];
  const groups = systems.map((stops) =>
    STATIONS.flatMap((station, at) =>
      stops.some((stop) => metresBetween(stop, station) <= NEAR_A_STOP) ? [at] : [],
    ),
  );
  const bands = Map.groupBy(positionOf.values(), (at) => bandOf(STATIONS[at]));
  return STATIONS.map((station, here) => {
    const found = new Map<number, Crossing>();
    for (const to of groups.filter((group) => group.includes(here)).flat()) {
      const metres = metresBetween(station, STATIONS[to] ?? station);
      found.set(to, { to, minutes: 14 + Math.round(metres / 350) });
    }
    for (const band of [-1, 0, 1]) {
      for (const to of bands.get(bandOf(station) + band) ?? []) {
        const other = STATIONS[to] ?? station;
        if (metresBetween(station, other) <= WALKED_BETWEEN_STATIONS) {
          found.set(to, { to, minutes: walkMinutes(station, other) + PLATFORM_MINUTES });
        }
      }
    }
    found.delete(here);
    return [...found.values()];
  });
}

/** A kilometre of latitude. */
function bandOf(station: RailStation | undefined): number {
  return Math.floor((station?.latitude ?? 0) * 100);
}

function minutesOf(ends: ReadonlyMap<number, End>): ReadonlyMap<number, number> {
  return new Map([...ends].map(([station, { minutes }]) => [station, minutes]));
}
