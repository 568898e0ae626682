// The buses of Great Britain, made up around its stations: lines through every town, and from each other station to
// the nearest town. The same in every sandbox, as streets are.
import { areaNear, TOWN_STATIONS } from "../geography/areas.ts";
import type { Area } from "../geography/areas.ts";
import { bearingBetween, compassPoint, metresBetween, movedBy, nearestOf } from "../geography/position.ts";
import type { Steps } from "../gradual.ts";
import { hash } from "../railway/chance.ts";
import { stationByCrs, STATIONS } from "../railway/stations.ts";
import type { RailStation } from "../railway/stations.ts";
import { linkLine, townLine, TOWN_LINES } from "./bus-drafts.ts";
import type { DraftLine, Spot } from "./bus-drafts.ts";
import type { UnnumberedLine } from "./local-line.ts";
import type { Stop } from "./stop.ts";

/** Which codes are given out, and which stands exist. */
interface Register {
  readonly counts: Map<string, number>;
  readonly stands: Map<string, Stop>;
}

/** Metres a minute: in towns, and between them. */
const TOWN_PACE = 260;
const COUNTRY_PACE = 520;
/** Codes are given out from here on. */
const LAST_OLD_CODE = 99;

/** All of them, both ways, in the order of the station list. */
export function* createBusLines(): Steps<readonly UnnumberedLine[]> {
  const register: Register = { counts: new Map(), stands: new Map() };
  const towns = TOWN_STATIONS.flatMap((crs) => stationByCrs(crs) ?? []);
  const isTown = new Set(TOWN_STATIONS);
  const lines: UnnumberedLine[] = [];
  for (const station of STATIONS) {
    for (const draft of draftsFrom(station)) {
      lines.push(...withStops(draft, register));
    }
    yield;
  }
  return lines;

  function draftsFrom(station: RailStation): readonly DraftLine[] {
    const area = areaNear(station);
    if (isTown.has(station.crs)) {
      return Array.from({ length: TOWN_LINES }, (_each, at) => townLine(station, area, at));
    }
    const town = nearestOf(station, towns, (each) => each);
    return town ? [linkLine(station, town, area)] : [];
  }
}

function withStops(line: DraftLine, register: Register): readonly UnnumberedLine[] {
  const { area } = line;
  const base = {
    mode: "bus",
    name: line.name,
    operator: area.operator,
    operatorName: area.operatorName,
    areaCode: area.code,
    everyMinutes: line.everyMinutes,
    firstMinute: 330 + (hash(line.name, area.code) % 45),
    lastMinute: line.everyMinutes >= 60 ? 1_290 : 1_400,
  } as const;
  return (["outbound", "inbound"] as const).map((dir) => {
    const spots = dir === "outbound" ? line.spots : line.spots.toReversed();
    const last = spots.at(-1);
    return {
      ...base,
      dir,
      towards: last ? (last.stand === undefined ? last.locality : last.name) : "",
      stops: spots.map((spot, at) =>
        stopAt(spot, spots[at + 1] ?? spots[at - 1], at === spots.length - 1, register),
      ),
      minutes: minutesAlong(spots),
    };
  });
}

function stopAt(spot: Spot, other: Spot | undefined, isLast: boolean, register: Register): Stop {
  const stand = spot.stand === undefined ? undefined : register.stands.get(spot.stand);
  if (stand) {
    return stand;
  }
  const onward = other ? bearingBetween(spot, other) : 0;
  const bearing = isLast ? (onward + 180) % 360 : onward;
  // Buses keep left.
  const kerb = spot.stand === undefined ? movedBy(spot, 9, bearing + 270) : spot;
  const stop: Stop = {
    type: "bus_stop",
    atcocode: nextCode(spot.area, bearing, register),
    name: spot.name,
    indicator: spot.stand === undefined ? undefined : `stop ${spot.stand.slice(-1)}`,
    bearing: compassPoint(bearing),
    locality: spot.locality,
    latitude: kerb.latitude,
    longitude: kerb.longitude,
  };
  if (spot.stand !== undefined) {
    register.stands.set(spot.stand, stop);
  }
  return stop;
}

/** e.g. `450012282`, `3290YYA00107`, in London `490000254N`. */
function nextCode(area: Area, bearing: number, { counts }: Register): string {
  const count = (counts.get(area.atcoPrefix) ?? LAST_OLD_CODE) + 1;
  counts.set(area.atcoPrefix, count);
  return area.atcoPrefix === "4900"
    ? `490${String(count).padStart(6, "0")}${compassPoint(bearing).slice(0, 1)}`
    : area.atcoPrefix + String(count).padStart(5, "0");
}

function minutesAlong(spots: readonly Spot[]): readonly number[] {
  let sum = 0;
  return spots.map((spot, at) => {
    const before = spots[at - 1];
    if (before) {
      const metres = metresBetween(before, spot) * 1.25;
      sum += Math.max(1, Math.round(metres / (metres > 1_500 ? COUNTRY_PACE : TOWN_PACE)));
    }
    return sum;
  });
}
