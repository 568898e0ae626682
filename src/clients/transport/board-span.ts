// How much time an answer covers. The service does not say, so it is worked out from what was asked and what came.
import { Temporal } from "temporal-polyfill";
import { startOfMinute } from "../../core/uk-time.ts";
import { LIVE_WINDOW_MINUTES } from "./board-request.ts";
import type { TransportQuestion, TransportRow } from "./transport-board.ts";

/** How an answer came about. */
export interface BoardContext {
  readonly question: TransportQuestion;
  /** Whether it is a live board, which chooses its own span of time, or a window that we chose. */
  readonly source: "live" | "timetable";
  readonly now: Temporal.Instant;
}

/** Live boards of the specification's path may end after 10 to 50 rows, whatever limit is asked for, without saying so. */
const SHORTEST_CUT_ROWS = 10;
const LONGEST_CUT_ROWS = 50;
/** An answer whose last row comes this close to the end of its time is taken for whole. */
const NEAR_END_MINUTES = 10;

/** The moment before which every row is in the answer; `start` is where the answer begins. */
export function coversUntil(
  { source, question }: BoardContext,
  start: Temporal.Instant,
  rows: readonly TransportRow[],
): Temporal.Instant {
  const minutes = source === "live" ? LIVE_WINDOW_MINUTES : question.windowMinutes;
  const end = startOfMinute(start).add({ minutes });
  const mayBeCut =
    rows.length >= question.limit ||
    (source === "live" && rows.length >= SHORTEST_CUT_ROWS && rows.length <= LONGEST_CUT_ROWS);
  const last = rows.at(-1)?.aimedAt;
  const isNearEnd = last && Temporal.Instant.compare(last, end.subtract({ minutes: NEAR_END_MINUTES })) >= 0;
  return last && mayBeCut && !isNearEnd ? last : end;
}
