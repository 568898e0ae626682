// The postcode areas, read from their list: which districts there are, where they lie, who runs the buses.
import { hash } from "../railway/chance.ts";
import { stationByCrs } from "../railway/stations.ts";
import { movedBy, nearestOf } from "./position.ts";
import type { Position } from "./position.ts";
import { POSTCODE_AREAS } from "./postcode-areas.ts";

/** A postcode area and what is known of it. */
export interface Area {
  /** e.g. `YO`. */
  readonly code: string;
  /** Its post town, e.g. York. */
  readonly town: string;
  readonly region: string;
  /** What the ATCO codes of its bus stops begin with, e.g. `3290YYA`. */
  readonly atcoPrefix: string;
  readonly centre: Position;
  /** The station in its middle. */
  readonly centreCrs: string;
  /** By number: where a district's middle is. */
  readonly districts: ReadonlyMap<number, District>;
  /** Of the buses, e.g. `FYOR`. */
  readonly operator: string;
  readonly operatorName: string;
}

/** A postcode district, e.g. YO24. */
interface District {
  readonly centre: Position;
  /** CRS code of the town it belongs to where that is not the area's own. */
  readonly townCrs: string | undefined;
}

/** All of them, by their letters. */
export const AREAS: ReadonlyMap<string, Area> = new Map(
  POSTCODE_AREAS.map(parseArea).map((area) => [area.code, area]),
);

const MIDDLES = [...AREAS.values()].flatMap((area) =>
  [area, ...otherTowns(area)].map(({ centre }) => ({ area, centre })),
);

/** CRS codes of the stations in the middle of post towns; the larger ones, after which areas are called, first. */
export const TOWN_STATIONS: readonly string[] = [
  ...new Set([
    ...[...AREAS.values()].map((area) => area.centreCrs),
    ...[...AREAS.values()].flatMap((area) => otherTowns(area).flatMap(({ townCrs }) => townCrs ?? [])),
  ]),
];

/** The area whose middle, or the middle of one of its other towns, is nearest. */
export function areaNear(position: Position): Area {
  const nearest = nearestOf(position, MIDDLES, ({ centre }) => centre);
  if (!nearest) {
    throw new Error("There are no postcode areas");
  }
  return nearest.area;
}

function otherTowns(area: Area): readonly District[] {
  return [...area.districts.values()].filter((district) => district.townCrs !== undefined);
}

function parseArea(text: string): Area {
  const [
    code = "",
    town = "",
    region = "",
    atcoPrefix = "",
    crs = "",
    numbers = "",
    others = "",
    runner = "",
  ] = text.split("|");
  const [operator = "", ...operatorName] = runner.split(" ");
  const centre = positionOf(crs);
  const districts = new Map<number, District>();
  parseNumbers(numbers).forEach((number, at) => {
    // The lower the number, the nearer the middle of the town, as a rule.
    const metres = at === 0 ? 300 : 800 + Math.min(at, 12) * 190 + (hash(code, number, "far") % 600);
    districts.set(number, {
      centre: movedBy(centre, metres, hash(code, number, "way") % 360),
      townCrs: undefined,
    });
  });
  for (const other of others.split(",").filter(Boolean)) {
    const [townCrs = "", its = ""] = other.split(" ");
    for (const number of parseNumbers(its)) {
      const near = movedBy(positionOf(townCrs), 600, hash(code, number, "way") % 360);
      districts.set(number, { centre: near, townCrs });
    }
  }
  return {
    code,
    town,
    region,
    atcoPrefix,
    centre,
    centreCrs: crs,
    districts,
    operator,
    operatorName: operatorName.join(" "),
  };
}

/** `1,7-8` is 1, 7 and 8. */
function parseNumbers(text: string): readonly number[] {
  return text.split(",").flatMap((part) => {
    const [from = 0, to = from] = part.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_each, at) => from + at);
  });
}

function positionOf(crs: string): Position {
  const station = stationByCrs(crs);
  if (!station) {
    throw new Error(`The station list has no ${crs}`);
  }
  return { latitude: station.latitude, longitude: station.longitude };
}
