// When a board comes. Slots follow the clock on the wall of the schedule's zone, across both changes of clocks.

/** Monday is 1, Sunday is 7, as in ISO 8601. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** A span of the day, "HH:MM" on the wall, both ends included. `to` before `from` ends on the next day. */
export interface Hours {
  readonly from: string;
  readonly to: string;
}

export type Timing =
  /**
   * From the beginning of the hours (of the day, without any) on: up to an hour in whole minutes that pass, above that
   * by the clock on the wall.
   */
  | { readonly every: number }
  /** At these times of the day, "HH:MM", in order, each once. */
  | { readonly at: readonly string[] };

/** When a board comes. */
export interface Schedule {
  readonly timing: Timing;
  /** In order; the day on which the hours begin. Never empty. */
  readonly days: readonly Weekday[];
  /** Absent for the whole day. */
  readonly hours?: Hours | undefined;
  /** IANA name, e.g. `Europe/London`. */
  readonly zone: string;
}
