// A station's timetable: scheduled trains, without live data.
import {
  type BoardDependencies,
  type BoardKind,
  askBoard,
  boardKey,
  laterFrom,
  mergeRows,
  refuseRoundTrip,
} from "./departures.ts";
import { type Answer, stalenessOf } from "../sources/answers.ts";
import type { Station } from "./stations.ts";
import type { TransportBoard } from "../sources/transport-data.ts";
import { currentInstant } from "../core/clock.ts";
import { isBefore, startOfMinute } from "../time/uk-time.ts";
import { createBoardRow } from "./board-row.ts";
import { WEEKS_AHEAD } from "../time/parse-when.ts";

/** Rows per page, about as many as fit on a phone's screen. */
const TIMETABLE_ROWS = 10;

export interface TimetableQuestion {
  readonly station: Station;
  readonly kind: BoardKind;
  readonly via: Station | undefined;
}

export type Timetables = ReturnType<typeof createTimetables>;
export type Timetable = Awaited<ReturnType<Timetables["page"]>>;

/** Long enough for a full page at most stations, short enough for times without dates to be clear. */
const WINDOW_MINUTES = 6 * 60;
/** Together with {@link WINDOW_MINUTES} before it, a whole day. */
const REST_MINUTES = 18 * 60;
const EARLIER_MINUTES = 60;
/** Several pages' worth, because an answer may list a train more than once. */
const LIMIT = 60;

/** Most pages cost one request; if nothing leaves in its hours, another asks for the rest of the day. */
export function createTimetables(deps: BoardDependencies) {
  function ask(
    { station: { crs }, kind, via }: TimetableQuestion,
    from: Temporal.Instant,
    windowMinutes: number,
  ): Promise<Answer<TransportBoard>> {
    const asked = { crs, kind, via: via?.crs, from, windowMinutes, limit: LIMIT, live: false };
    return askBoard(deps, asked, `timetable ${boardKey(asked)}`);
  }

  return {
    /** The page from `from`, or from now if that is past. Throws a UserError, and the client's ServiceErrors. */
    async page({ from: wanted, ...question }: TimetableQuestion & { readonly from: Temporal.Instant }) {
      refuseRoundTrip(question);
      const now = startOfMinute(currentInstant(deps.clock));
      const from = isBefore(wanted, now) ? now : startOfMinute(wanted);
      const end = from.add({ minutes: WINDOW_MINUTES });
      let answer = await ask(question, from, WINDOW_MINUTES);
      let fitting = rowsFrom(answer.value, from);
      if (fitting.length === 0) {
        answer = await ask(question, end, REST_MINUTES);
        fitting = rowsFrom(answer.value, end);
      }
      const rows = fitting.slice(0, TIMETABLE_ROWS);
      const { coversUntil, dataAt } = answer.value;
      const later = laterFrom(fitting, rows, coversUntil) ?? coversUntil;
      const earlier = from.subtract({ minutes: EARLIER_MINUTES });
      return {
        ...question,
        from,
        /** In the order of aimed times. The first may be hours after `from`; empty if nothing runs for a day. */
        rows,
        /** The start of the previous page; `undefined` if that would be past. */
        earlierFrom: isBefore(now, from) ? (isBefore(earlier, now) ? now : earlier) : undefined,
        /** The start of the next page; `undefined` if timetables do not reach that far. */
        laterFrom: isBefore(later, now.add({ hours: WEEKS_AHEAD * 7 * 24 })) ? later : undefined,
        dataAt,
        stale: stalenessOf(answer),
      };
    },
  };
}

function rowsFrom({ rows }: TransportBoard, from: Temporal.Instant) {
  return mergeRows(rows)
    .map(createBoardRow)
    .filter(({ aimedAt }) => !isBefore(aimedAt, from));
}
