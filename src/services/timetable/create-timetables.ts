// Timetables: asks for some hours, and for the rest of a day where nothing leaves in them.
import { Temporal } from "temporal-polyfill";
import type { TransportClient } from "../../clients/transport/client.ts";
import type { TransportBoard } from "../../clients/transport/transport-board.ts";
import type { Clock } from "../../core/clock.ts";
import { isBefore } from "../../core/instants.ts";
import { startOfMinute } from "../../core/uk-time.ts";
import { type Answer, type Answers, staleOf } from "../cache/answers.ts";
import { createBoardRow } from "../departures/board-row.ts";
import { laterFrom } from "../departures/later-from.ts";
import { mergeRows } from "../departures/merge-rows.ts";
import { askOrHeld } from "../journeys/ask-or-held.ts";
import { WEEKS_AHEAD } from "../when/when.ts";
import { TIMETABLE_ROWS, type Timetables } from "./timetable.ts";

/** What the service stands on. */
export interface TimetablesDependencies {
  readonly transport: Pick<TransportClient, "board">;
  readonly answers: Pick<Answers, "ask" | "held">;
  readonly clock: Clock;
}

/** Long enough for a full page at most stations, short enough for times without dates to be clear. */
const WINDOW_MINUTES = 6 * 60;
/** With the window before it, a whole day. */
const REST_MINUTES = 18 * 60;
/** How far a step back goes. */
const EARLIER_MINUTES = 60;
/** Some pages: what stands before the page that is shown is not listed, but twins of one train are. */
const LIMIT = 60;

/** Makes the service. Most pages cost one request. */
export function createTimetables({ transport, answers, clock }: TimetablesDependencies): Timetables {
  function ask(crs: string, from: Temporal.Instant, windowMinutes: number): Promise<Answer<Planned>> {
    return askOrHeld<Planned>(
      answers,
      {
        keyPrefix: `timetable ${crs} `,
        key: `${from.toString()} ${windowMinutes}`,
        isUseful: (kept) => !isBefore(from, kept.from) && rowsFrom(kept.board, from).length > 0,
      },
      async () => {
        const asked = { crs, kind: "departures", from, windowMinutes, limit: LIMIT, live: false } as const;
        return { from, board: await transport.board(asked) };
      },
    );
  }

  return {
    async page({ station, from: wanted }) {
      const now = startOfMinute(Temporal.Instant.fromEpochMilliseconds(clock.now()));
      const from = isBefore(wanted, now) ? now : startOfMinute(wanted);
      const end = from.add({ minutes: WINDOW_MINUTES });
      let answer = await ask(station.crs, from, WINDOW_MINUTES);
      let fitting = rowsFrom(answer.value.board, from);
      if (fitting.length === 0) {
        answer = await ask(station.crs, end, REST_MINUTES);
        fitting = rowsFrom(answer.value.board, end);
      }
      const rows = fitting.slice(0, TIMETABLE_ROWS);
      const { coversUntil, dataAt } = answer.value.board;
      const later = laterFrom(fitting, rows, coversUntil) ?? coversUntil;
      const earlier = from.subtract({ minutes: EARLIER_MINUTES });
      return {
        station,
        from,
        rows,
        earlierFrom: isBefore(now, from) ? (isBefore(earlier, now) ? now : earlier) : undefined,
        laterFrom: isBefore(later, now.add({ hours: WEEKS_AHEAD * 7 * 24 })) ? later : undefined,
        dataAt,
        stale: staleOf(answer),
      };
    },
  };
}

/** A board, and the moment from which on it lists what is planned. */
interface Planned {
  readonly from: Temporal.Instant;
  readonly board: TransportBoard;
}

function rowsFrom({ rows }: TransportBoard, from: Temporal.Instant) {
  return mergeRows(rows)
    .map(createBoardRow)
    .filter(({ aimedAt }) => !isBefore(aimedAt, from));
}
