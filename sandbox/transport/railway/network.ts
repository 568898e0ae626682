import { FREIGHT } from "./lines/freight.ts";
import { LONG_DISTANCE } from "./lines/long-distance.ts";
import { MIDLANDS_AND_WALES } from "./lines/midlands-wales.ts";
import { NORTH } from "./lines/north.ts";
import { SCOTLAND } from "./lines/scotland.ts";
import { SOUTH_EAST } from "./lines/south-east.ts";
import { WEST } from "./lines/west.ts";
import { stationByName, type RailStation } from "./stations.ts";

export type LineKind = "express" | "regional" | "metro" | "sleeper" | "freight";

/** How often trains leave each end: at a clock-face interval, or a number of times a day. */
type Frequency = { readonly everyMinutes: number } | { readonly timesADay: number };

interface LineStop {
  readonly station: RailStation;
  /** Which trains call: all, or only those with an even or an odd number. */
  readonly calls: "all" | "even" | "odd";
}

export interface Line {
  /** The index in `LINES`. A train's uid follows from it. */
  readonly id: number;
  readonly operator: string;
  readonly kind: LineKind;
  readonly frequency: Frequency;
  readonly stops: readonly LineStop[];
}

const KINDS: Readonly<Record<string, LineKind>> = {
  E: "express",
  R: "regional",
  M: "metro",
  S: "sleeper",
  F: "freight",
};

/** The lines of each region, by the operator's ATOC code, e.g. `GR`. */
const REGIONS: readonly Readonly<Record<string, readonly string[]>>[] = [
  LONG_DISTANCE,
  WEST,
  MIDLANDS_AND_WALES,
  NORTH,
  SCOTLAND,
  SOUTH_EAST,
  FREIGHT,
  // Stations that no other line serves.
  { SN: ["60R Southampton Town Quay, Southampton Central"], NT: ["60R St Peters, Sunderland"] },
];

export const LINES: readonly Line[] = createLines();

/** The CRS codes of stations at which lines end. A train may start or end its day there. */
export const TERMINI: ReadonlySet<string> = new Set(
  LINES.flatMap((line) => [line.stops[0], line.stops.at(-1)]).flatMap((stop) => stop?.station.crs ?? []),
);

const lineCounts = new Map<string, number>();
for (const { station } of LINES.flatMap((line) => line.stops)) {
  lineCounts.set(station.crs, (lineCounts.get(station.crs) ?? 0) + 1);
}

/** How many lines call at a station, as a measure of its size. */
export function linesAt(crs: string): number {
  return lineCounts.get(crs) ?? 0;
}

function createLines(): readonly Line[] {
  const written = REGIONS.flatMap((region) =>
    Object.entries(region).flatMap(([operator, texts]) => texts.map((text) => ({ operator, text }))),
  );
  return written.map(({ operator, text }, id) => parseLine(id, operator, text));
}

/**
 * Parses a line of the folder `lines`, e.g. `60E York, Leeds, Lancaster?`: minutes between trains (or `x6`: six a day),
 * the kind of train, and the calling points in order, by their names in the station list. Every second train calls at a
 * name that ends in `?`; at either end of a line, the same trains serve all such names. Throws on any other text.
 */
export function parseLine(id: number, operator: string, text: string): Line {
  const parts = /^(x?)(\d+)([A-Z]) (.+)$/.exec(text);
  const kind = KINDS[parts?.[3] ?? ""];
  if (!parts || !kind) {
    throw new Error(`Not a line: ${text}`);
  }
  const names = (parts[4] ?? "").split(", ");
  const firstFixed = names.findIndex((name) => !name.endsWith("?"));
  const lastFixed = names.findLastIndex((name) => !name.endsWith("?"));
  const stops = names.map((name, at): LineStop => {
    if (!name.endsWith("?")) {
      return { station: stationByName(name), calls: "all" };
    }
    const station = stationByName(name.slice(0, -1));
    // A train serves all or none of these stations at an end. In between, trains alternate from station to station.
    const atAnEnd = at < firstFixed || at > lastFixed;
    return { station, calls: atAnEnd || at % 2 === 0 ? "even" : "odd" };
  });
  const count = Number(parts[2]);
  const frequency = parts[1] === "x" ? { timesADay: count } : { everyMinutes: count };
  return { id, operator, kind, frequency, stops };
}
