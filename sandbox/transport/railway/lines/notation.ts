// How a line is written down in this folder.

/**
 * One operator's lines, each a text like `60E York, Leeds, Lancaster?`: minutes between trains (or `x6`: six a
 * day), then the kind of train, then the calling points in order by their names in the station list. A name that
 * ends in `?` is served by every second train; at either end of a line, such names are served together.
 * Kinds: `E` express, `R` regional, `M` metro, `S` sleeper, `F` freight and empty trains.
 */
export interface OperatorLines {
  /** ATOC code, e.g. `GR`. */
  readonly operator: string;
  readonly lines: readonly string[];
}
