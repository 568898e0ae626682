// The lines of a model made fit to be drawn: in order, within bounds, and the axis that they need.
export interface ChartSpan {
  readonly min: number;
  readonly max: number;
}

/** Where times may lie: 1970 to 2100. */
const TIMES: ChartSpan = { min: 0, max: Date.UTC(2100, 0) };
const SHARES: ChartSpan = { min: 0, max: 100 };
/** Beyond this nothing is counted; scales would lose their arithmetic. */
const COUNTS: ChartSpan = { min: -1e15, max: 1e15 };
/** A shorter time has no round times in it. */
const SHORTEST_MS = 10 * 60_000;

/** From left to right. */
export interface ChartLine {
  readonly name: string;
  readonly points: readonly ChartPoint[];
}

/** The lines that have any point. Their places are those of the model: `index` says which colour is theirs. */
export function listLines({ series, axis }: ChartModel): readonly (ChartLine & { readonly index: number })[] {
  const xs = axis.kind === "time" ? TIMES : SHARES;
  return series
    .slice(0, 3)
    .map(({ name, points }, index) => ({ name, index, points: inOrder(points, xs) }))
    .filter(({ points }) => points.length > 0);
}

function inOrder(points: readonly ChartPoint[], xs: ChartSpan): readonly ChartPoint[] {
  const byPlace = new Map<number, ChartPoint>();
  for (const { x, y } of points) {
    if (Number.isFinite(x) && Number.isFinite(y)) {
      const place = clamp(x, xs);
      byPlace.set(place, { x: place, y: clamp(y, COUNTS) });
    }
  }
  return [...byPlace.values()].toSorted((a, b) => a.x - b.x);
}

function clamp(value: number, { min, max }: ChartSpan): number {
  return Math.min(max, Math.max(min, value));
}

/** What the axis of time or shares reaches over; a single moment stands in the middle. */
export function spanOfPlaces(lines: readonly ChartLine[], axis: ChartModel["axis"]): ChartSpan {
  if (axis.kind === "share") {
    return SHARES;
  }
  const { min, max } = spanOf(lines.flatMap(({ points }) => points.map(({ x }) => x)));
  const missingMs = Math.max(0, SHORTEST_MS - (max - min));
  return { min: min - missingMs / 2, max: max + missingMs / 2 };
}

/** What the axis of values reaches over at least: always with zero, and never nothing. */
export function spanOfValues(lines: readonly ChartLine[]): ChartSpan {
  const { min, max } = spanOf([0, ...lines.flatMap(({ points }) => points.map(({ y }) => y))]);
  return min === max ? { min: 0, max: 1 } : { min, max };
}

function spanOf(values: readonly number[]): ChartSpan {
  return {
    min: values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
    max: values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
  };
}

/** One place on a line. What is not a finite number is left out. */
interface ChartPoint {
  /** Milliseconds since the epoch (1970 to 2100) on a time axis; 0 to 100 on one of shares. */
  readonly x: number;
  readonly y: number;
}

interface ChartSeries {
  /** Stands beside the line's end, e.g. `Views`. */
  readonly name: string;
  /** In any order; of those at the same place the last one counts. */
  readonly points: readonly ChartPoint[];
}

/** A whole chart. Every text is shown as it stands, smaller or cut with an ellipsis where it does not fit. */
export interface ChartModel {
  readonly title: string;
  /** e.g. `Views · 14 to 21 November, UK time`. */
  readonly subtitle: string | undefined;
  /** Time in a named zone, e.g. `Europe/London`, or the share of a video that has passed. */
  readonly axis: { readonly kind: "time"; readonly zone: string } | { readonly kind: "share" };
  /** Stands after every number that is written, e.g. `%`; `undefined` for plain counts. */
  readonly unit: string | undefined;
  /** One to three. Without any point the chart says `notice` instead. */
  readonly series: readonly ChartSeries[];
  /** e.g. `No figures yet`. */
  readonly notice: string;
}
