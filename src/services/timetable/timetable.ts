// A station's timetable: what is planned, without anything live.
import type { Temporal } from "temporal-polyfill";
import type { BoardRow } from "../departures/departures.ts";
import type { Stale } from "../cache/answers.ts";
import type { Station } from "../stations/stations.ts";

/** Rows of one page: as many as a phone shows without much turning. */
export const TIMETABLE_ROWS = 10;

export interface TimetableQuestion {
  readonly station: Station;
  /** First aimed departure to show; now where it is past. */
  readonly from: Temporal.Instant;
}

/** One page. */
export interface Timetable {
  readonly station: Station;
  /** Where this page begins, to the minute. */
  readonly from: Temporal.Instant;
  /** In the order of aimed times; may begin hours after `from`, and be empty where nothing runs for a day. */
  readonly rows: readonly BoardRow[];
  /** Where the page before begins; `undefined` where that would be past. */
  readonly earlierFrom: Temporal.Instant | undefined;
  /** Where the next page begins; `undefined` beyond what timetables know. */
  readonly laterFrom: Temporal.Instant | undefined;
  /** When the service made this answer. */
  readonly dataAt: Temporal.Instant;
  /** Set where the answer is older than it should be, because the service could not be asked again. */
  readonly stale: Stale | undefined;
}

export interface Timetables {
  /** Throws ServiceError as the client does. */
  page(question: TimetableQuestion): Promise<Timetable>;
}
