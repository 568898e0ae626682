// The platforms of trains. A train uses the same one every day, and the trains of a line mostly use neighbouring ones.
import { hash } from "./chance.ts";
import { LINES } from "./network.ts";
import { bearing } from "../map/position.ts";
import { stationByCrs } from "./stations.ts";

const LETTERS = ["a", "b"] as const;

interface Layout {
  readonly count: number;
  /** The direction of the tracks, in degrees from north. */
  readonly axis: number;
  /** Whether the station announces platforms; a few small ones do not. */
  readonly isAnnounced: boolean;
}

const layouts = createLayouts();

export interface PlatformUse {
  readonly crs: string;
  readonly operator: string;
  readonly lineId: number;
  /** The CRS codes of the stations before and after; `undefined` at the train's start and end. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly key: number;
  /** When the train starts or ends here, in minutes after any fixed time; ignored for a train that continues. */
  readonly minute: number;
}

/** e.g. `4`, `4b` or `A`; `null` if the station does not announce platforms. */
export function platformOf(use: PlatformUse): string | null {
  const layout = layouts.get(use.crs);
  if (!layout?.isAnnounced) {
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
    // Trains that start or end here use the platforms in turn, so that two within minutes do not need the same one.
    const half = use.to === undefined ? Math.floor(layout.count / 2) : 0;
    return String(1 + ((use.minute * strideOf(layout.count) + half) % layout.count));
  }
  // Trains that continue use their line's own track.
  const pairs = Math.floor(layout.count / 2);
  const platform = 1 + (hash(use.crs, use.lineId) % pairs) * 2 + side;
  const isShared = layout.count >= 6 && hash(use.crs, use.lineId, use.key, "part") % 10 === 0;
  return `${platform}${isShared ? (LETTERS[side] ?? "") : ""}`;
}

/** A step that reaches every platform before it returns to the first. */
function strideOf(count: number): number {
  return [7, 5, 3].find((stride) => count % stride !== 0) ?? 1;
}

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
      // As many platforms as the trains need, at most twenty.
      const count =
        trainsAnHour <= 2 ? 1 : trainsAnHour <= 16 ? 2 : Math.min(20, 4 + Math.floor(trainsAnHour / 8) * 2);
      return [crs, { count, axis, isAnnounced: count > 2 || hash(crs, "tells") % 8 > 0 }];
    }),
  );
}
