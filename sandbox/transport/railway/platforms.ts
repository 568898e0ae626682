// Which platform a train uses: the same for a train every day, and trains of one line mostly side by side.
import { hash } from "./chance.ts";
import { LINES } from "./network.ts";
import { bearing, stationByCrs } from "./stations.ts";

/** How many platforms the large stations have; the others get as many as their trains need. */
const LARGE: Readonly<Record<string, number>> = {
  ABD: 7,
  BHM: 12,
  BMO: 4,
  BRI: 13,
  BTN: 8,
  CBG: 8,
  CDF: 8,
  CLJ: 17,
  CRE: 12,
  CTR: 7,
  CAR: 8,
  DAR: 4,
  DBY: 6,
  DON: 9,
  DHM: 2,
  ECR: 6,
  EDB: 20,
  EUS: 16,
  EXD: 6,
  FST: 4,
  GLC: 15,
  GLQ: 9,
  GTW: 7,
  HUL: 7,
  INV: 7,
  KGX: 11,
  LBG: 15,
  LDS: 17,
  LEI: 4,
  LIV: 10,
  LST: 18,
  MAN: 14,
  MCV: 6,
  MYB: 6,
  NCL: 12,
  NOT: 7,
  NRW: 6,
  OXF: 4,
  PAD: 14,
  PBO: 7,
  PLY: 6,
  PMH: 4,
  PRE: 9,
  RDG: 15,
  SHF: 9,
  SHR: 7,
  SOT: 3,
  SOU: 4,
  STP: 15,
  SWA: 4,
  VIC: 19,
  WAT: 24,
  WVH: 6,
  YRK: 11,
};
const MOST_LETTERED = ["a", "b"] as const;

interface Layout {
  readonly count: number;
  /** Where the tracks point, in degrees from north. */
  readonly axis: number;
  /** A few small stations never tell. */
  readonly tells: boolean;
}

const layouts = createLayouts();

/** What the choice of a platform follows from. */
export interface PlatformUse {
  readonly crs: string;
  readonly operator: string;
  readonly lineId: number;
  /** The station before, and the one after; `undefined` at the ends. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The train's key. */
  readonly key: number;
  /** When it starts or ends here, in minutes since any fixed moment; not looked at for a train that passes. */
  readonly minute: number;
}

/** e.g. `4`, `4b` or `A`; `null` where the station does not tell. */
export function platformOf(use: PlatformUse): string | null {
  const layout = layouts.get(use.crs);
  if (!layout?.tells) {
    return null;
  }
  if ((use.operator === "TL" && use.crs === "STP") || (use.operator === "XR" && layout.count > 4)) {
    return heading(use, layout) === 0 ? "A" : "B";
  }
  if (layout.count === 1) {
    return "1";
  }
  const side = heading(use, layout);
  const isEnd = use.from === undefined || use.to === undefined;
  if (isEnd && layout.count > 2) {
    // Trains that start or end take the platforms in turn, so that two within minutes do not meet in one.
    const half = use.to === undefined ? Math.floor(layout.count / 2) : 0;
    return String(1 + ((use.minute * strideOf(layout.count) + half) % layout.count));
  }
  // Those that pass keep to their line's own track.
  const pairs = Math.floor(layout.count / 2);
  const platform = 1 + (hash(use.crs, use.lineId) % pairs) * 2 + side;
  const isShared = layout.count >= 6 && hash(use.crs, use.lineId, use.key, "part") % 10 === 0;
  return `${platform}${isShared ? (MOST_LETTERED[side] ?? "") : ""}`;
}

/** A step that visits every platform before it comes back to the first. */
function strideOf(count: number): number {
  return [7, 5, 3].find((stride) => count % stride !== 0) ?? 1;
}

/** 0 or 1: which way along the tracks. */
function heading({ crs, from, to }: PlatformUse, { axis }: Layout): 0 | 1 {
  const here = stationByCrs(crs);
  const there = stationByCrs(to ?? from ?? crs);
  if (!here || !there) {
    return 0;
  }
  const turned = Math.cos(((bearing(here, there) - axis) * Math.PI) / 180);
  return (to === undefined ? -turned : turned) >= 0 ? 0 : 1;
}

function createLayouts(): ReadonlyMap<string, Layout> {
  const traffic = new Map<string, { trainsAnHour: number; axis: number }>();
  for (const line of LINES) {
    line.stops.forEach(({ station, calls }, at) => {
      const neighbour = (line.stops[at + 1] ?? line.stops[at - 1])?.station ?? station;
      const known = traffic.get(station.crs) ?? { trainsAnHour: 0, axis: bearing(station, neighbour) };
      const anHour =
        "everyMinutes" in line.frequency ? 60 / line.frequency.everyMinutes : line.frequency.timesADay / 16;
      known.trainsAnHour += anHour * (calls === "all" ? 1 : 0.5) * 2;
      traffic.set(station.crs, known);
    });
  }
  return new Map(
    [...traffic].map(([crs, { trainsAnHour, axis }]) => {
      const count =
        LARGE[crs] ?? (trainsAnHour <= 2 ? 1 : trainsAnHour <= 16 ? 2 : trainsAnHour <= 36 ? 4 : 6);
      return [crs, { count, axis, tells: count > 2 || hash(crs, "tells") % 8 > 0 }];
    }),
  );
}
