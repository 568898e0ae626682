// What a chart shows: lines over time or over the length of a video. The view fills it, the painter draws it.

/** One place on a line. What is not a finite number is left out. */
export interface ChartPoint {
  /** Milliseconds since the epoch (1970 to 2100) on a time axis; 0 to 100 on one of shares. */
  readonly x: number;
  readonly y: number;
}

/** One line. */
export interface ChartSeries {
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
