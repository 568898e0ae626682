// Along which streets buses go: spots on a line through a town, or from a village's station to the nearest town.
import { areaNear } from "../geography/areas.ts";
import type { Area } from "../geography/areas.ts";
import { bearingBetween, compassPoint, metresBetween, movedBy } from "../geography/position.ts";
import type { Position } from "../geography/position.ts";
import { hash } from "../railway/chance.ts";
import type { RailStation } from "../railway/stations.ts";
import { placeNameOf, stopName } from "./stop-names.ts";

/** A spot on a street, before it has a stop on each side. */
export interface Spot extends Position {
  readonly name: string;
  readonly locality: string;
  /** Stops at a town's station have letters, and many lines share them. */
  readonly stand: string | undefined;
  readonly area: Area;
}

/** Lines through each town. */
export const TOWN_LINES = 4;

/** A line before its spots have stops. */
export interface DraftLine {
  readonly name: string;
  readonly area: Area;
  readonly spots: readonly Spot[];
  readonly everyMinutes: number;
}

/** From one side of a town through its middle to the other. */
export function townLine(station: RailStation, area: Area, at: number): DraftLine {
  const place = placeNameOf(station.name);
  const bearing = at * 45 + (hash(station.crs, "streets") % 45);
  const metres = [-2_600, -2_050, -1_500, -1_050, -600, 0, 550, 1_000, 1_500, 2_100, 2_700];
  const spots = metres.map((each, nth): Spot => {
    if (each === 0) {
      return stationSpot(station, area, at);
    }
    const wobble = (hash(station.crs, at, nth) % 40) - 20;
    const position = movedBy(station, Math.abs(each), bearing + (each < 0 ? 180 : 0) + wobble);
    const locality = localityOf(partOf(place, position, station, area), area.town);
    return { ...position, name: stopName(station.crs, at * 10 + nth), locality, stand: undefined, area };
  });
  const isLondon = area.atcoPrefix === "4900";
  const number = isLondon ? 11 + (hash(station.crs, at, "line") % 440) : at + 1 + (hash(area.code) % 3) * 10;
  const letter = !isLondon && hash(station.crs, at, "letter") % 5 === 0 ? "A" : "";
  return {
    name: `${number}${letter}`,
    area,
    spots,
    everyMinutes: [8, 10, 12, 15][hash(station.crs, at) % 4] ?? 10,
  };
}

/** From beyond a station through its village to the nearest town. */
export function linkLine(station: RailStation, town: RailStation, area: Area): DraftLine {
  const place = placeNameOf(station.name);
  const totalMetres = metresBetween(station, town);
  const isLondon = area.atcoPrefix === "4900";
  const bearing = bearingBetween(station, town);
  const metres = [-900, -450, 0, 500, 1_000, 1_600];
  for (let each = 3_000; each < totalMetres - 2_000; each += Math.max(1_500, totalMetres / 8)) {
    metres.push(Math.round(each));
  }
  metres.push(totalMetres - 1_000, totalMetres - 450);
  const along = [...new Set(metres)]
    .filter((each) => each <= 0 || each < totalMetres - 300)
    .toSorted((a, b) => a - b);
  const spots = along.map((each, nth): Spot => {
    if (each === 0) {
      return stationSpot(station, area, 0);
    }
    const wobble = (hash(station.crs, nth) % 24) - 12;
    const position = movedBy(station, Math.abs(each), bearing + (each < 0 ? 180 : 0) + wobble);
    const isInTown = each > totalMetres / 2;
    const townName = isLondon ? area.town : placeNameOf(town.name);
    const locality = localityOf(isInTown ? placeNameOf(town.name) : place, townName);
    return { ...position, name: stopName(station.crs, nth), locality, stand: undefined, area };
  });
  const number = (isLondon ? 100 : 20) + (hash(station.crs, "line") % (isLondon ? 380 : 170));
  const prefix = totalMetres > 12_000 ? "X" : "";
  return {
    name: `${prefix}${number}`,
    area,
    spots: [...spots, stationSpot(town, areaNear(town), hash(station.crs, "stand") % TOWN_LINES)],
    everyMinutes: totalMetres > 12_000 ? 60 : ([12, 15, 20, 30][hash(station.crs, "often") % 4] ?? 20),
  };
}

function stationSpot(station: RailStation, area: Area, stand: number): Spot {
  const position = movedBy(station, 70 + stand * 15, (hash(station.crs, "forecourt") % 360) + stand * 20);
  const place = placeNameOf(station.name);
  const locality = localityOf(place, area.town);
  const letter = "ABCDEF"[stand] ?? "A";
  return {
    ...position,
    name: `${station.name} Rail Station`,
    locality,
    stand: `${station.crs}${letter}`,
    area,
  };
}

function localityOf(place: string, town: string): string {
  return place === town ? town : `${place}, ${town}`;
}

/** e.g. `York South`, `York Town Centre`; parts of London have no parts themselves. */
function partOf(place: string, position: Position, station: RailStation, area: Area): string {
  if (area.town === "London") {
    return place;
  }
  const sides: Readonly<Record<string, string>> = { N: "North", E: "East", S: "South", W: "West" };
  const side = sides[compassPoint(bearingBetween(station, position)).slice(-1)];
  return metresBetween(station, position) < 1_200 ? `${place} Town Centre` : `${place} ${side ?? "North"}`;
}
