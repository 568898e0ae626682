// A line of the state of the network. The specification shows no fields: these are this stand-in's own, and modest.

export interface StatusRow {
  /** `train`, `tube`, `tram`, `boat`, `bus`. */
  readonly mode: string;
  /** An operator, or a line where people speak of lines. */
  readonly name: string;
  /** e.g. `Good service`. */
  readonly status: string;
  /** A sentence, or empty. */
  readonly description: string;
}
