// The lines on which trains run, read from the folder of lines.
import { FREIGHT } from "./lines/freight.ts";
import { LONG_DISTANCE } from "./lines/long-distance.ts";
import { MIDLANDS_AND_WALES } from "./lines/midlands-wales.ts";
import { NORTH } from "./lines/north.ts";
import { SCOTLAND } from "./lines/scotland.ts";
import { SOUTH_EAST } from "./lines/south-east.ts";
import { WEST } from "./lines/west.ts";
import { stationByName, type RailStation } from "./stations.ts";

export type LineKind = "express" | "regional" | "metro" | "sleeper" | "freight";

/** How often trains leave each end: a clock-face interval, or so many over the day. */
type Frequency = { readonly everyMinutes: number } | { readonly timesADay: number };

interface LineStop {
  readonly station: RailStation;
  /** Which trains call, by whether their number is even: both, or one of the two. */
  readonly calls: "all" | "even" | "odd";
}

export interface Line {
  /** Position in `LINES`; part of what makes a train's identity. */
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

/** Of each region, the lines of operators by their ATOC codes, e.g. `GR`. */
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

/** All lines of the country. */
export const LINES: readonly Line[] = createLines();

/** Where a train may start or end its day: the ends of lines. */
export const TERMINI: ReadonlySet<string> = new Set(
  LINES.flatMap((line) => [line.stops[0], line.stops.at(-1)]).flatMap((stop) => stop?.station.crs ?? []),
);

const lineCounts = new Map<string, number>();
for (const { station } of LINES.flatMap((line) => line.stops)) {
  lineCounts.set(station.crs, (lineCounts.get(station.crs) ?? 0) + 1);
}

/** How many lines call at a station: how large it is. */
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
 * Reads a line as the folder `lines` writes it, e.g. `60E York, Leeds, Lancaster?`: minutes between trains (or `x6`: six a
 * day), then the kind of train, then the calling points in order by their names in the station list. A name that ends in
 * `?` is served by every second train; at either end of a line, such names are served together. Throws on any other text.
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
    // An end of the line is served whole or not at all; in between, neighbours share the trains out.
    const atAnEnd = at < firstFixed || at > lastFixed;
    return { station, calls: atAnEnd || at % 2 === 0 ? "even" : "odd" };
  });
  const count = Number(parts[2]);
  const frequency = parts[1] === "x" ? { timesADay: count } : { everyMinutes: count };
  return { id, operator, kind, frequency, stops };
}
