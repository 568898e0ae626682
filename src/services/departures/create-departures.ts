// Live boards: asks the transport service, filters, and looks further ahead where nothing is left.
import { Temporal } from "temporal-polyfill";
import type { TransportClient } from "../../clients/transport/client.ts";
import type {
  TransportBoard,
  TransportQuestion,
  TransportRow,
} from "../../clients/transport/transport-board.ts";
import type { Clock } from "../../core/clock.ts";
import { isBefore } from "../../core/instants.ts";
import { UserError } from "../../core/errors.ts";
import { startOfMinute } from "../../core/uk-time.ts";
import { type Answer, type Answers, isPassing, staleOf } from "../cache/answers.ts";
import { createBoardRow, isGone } from "./board-row.ts";
import { cannotTellLater } from "./cannot-tell.ts";
import { BOARD_WINDOW_MINUTES, type BoardQuestion, type BoardRow, type Departures } from "./departures.ts";
import { laterFrom } from "./later-from.ts";
import { boardKey, liveQuestion, nightQuestion } from "./live-question.ts";
import { mergeRows } from "./merge-rows.ts";
import { createOperatorFilter, type OperatorFilter } from "./operator-filter.ts";

/** Makes the service. Most boards cost one request; two where an answer was cut short or held nothing that fits. */
export function createDepartures({
  transport,
  answers,
  clock,
}: {
  transport: Pick<TransportClient, "board">;
  answers: Answers;
  clock: Clock;
}): Departures {
  const ask = (asked: TransportQuestion): Promise<Answer<TransportBoard>> =>
    answers.ask(boardKey(asked), () => transport.board(asked));

  return {
    async board(question) {
      refuseRoundTrip(question);
      const now = Temporal.Instant.fromEpochMilliseconds(clock.now());
      const from = laterOf(question.from, now);
      const about = { kind: question.kind, crs: question.station.crs, via: question.via?.crs };
      const asked = liveQuestion(about);

      const answer = await ask({ ...asked, from });
      const live = answer.value;
      // Counted from when the first answer was asked for, so that the questions after it are the same ones too.
      const start = from ?? startOfMinute(now.subtract({ milliseconds: answer.ageMs }));
      const end = start.add({ minutes: BOARD_WINDOW_MINUTES });
      const page = { question, from, now, isOperator: operatorFilter(question.operator, live.rows) };
      let fitting = fittingRows(mergeRows(live.rows), page);
      let coversUntil = live.coversUntil;
      if (fitting.length < question.rows && isBefore(coversUntil, end)) {
        const restFrom = isBefore(coversUntil, start) ? start : coversUntil;
        const rest = {
          ...asked,
          from: restFrom,
          windowMinutes: Math.ceil(end.since(restFrom).total("minutes")),
          live: false,
        };
        const further = await askFurther(ask, rest, fitting.length > 0);
        fitting = fittingRows(mergeRows(live.rows, further?.rows), page);
        coversUntil = further?.coversUntil ?? coversUntil;
      }

      const stale = staleOf(answer);
      const board = { question, dataAt: live.dataAt, ...(stale && { stale }) };
      if (fitting.length > 0) {
        const isCut = isBefore(coversUntil, end);
        const rows = fitting.slice(0, question.rows);
        return {
          ...board,
          rows,
          laterFrom: laterFrom(fitting, rows, isCut ? coversUntil : undefined),
          next: undefined,
        };
      }
      if (answer.failure !== undefined) {
        // All that it held has left: it cannot tell what comes now.
        throw answer.failure;
      }
      const firstOf = (rows: readonly TransportRow[]): BoardRow | undefined =>
        fittingRows(mergeRows(rows), page).find(
          ({ state, aimedAt }) => state !== "cancelled" && !isBefore(aimedAt, end),
        );
      const ofBoards = answers.peek<TransportBoard>(boardKey(nightQuestion(about)));
      const known = ofBoards && ofBoards.ageMs < NEXT_KNOWN_FOR_MS ? firstOf(ofBoards.value.rows) : undefined;
      if (known) {
        return { ...board, rows: [], laterFrom: undefined, next: known };
      }
      const further = await askFurther(ask, {
        ...asked,
        from: end,
        windowMinutes: NEXT_WINDOW_MINUTES,
      });
      return { ...board, rows: [], laterFrom: undefined, next: firstOf(further?.rows ?? []) };
    },
  };
}

/** With {@link BOARD_WINDOW_MINUTES} before it, a whole day. */
const NEXT_WINDOW_MINUTES = 22 * 60;
/** What a channel's board has heard of the morning is good for so long: of a train hours away little changes in it. */
const NEXT_KNOWN_FOR_MS = 10 * 60_000;

interface Page {
  readonly question: BoardQuestion;
  readonly from: Temporal.Instant | undefined;
  readonly now: Temporal.Instant;
  readonly isOperator: OperatorFilter;
}

function operatorFilter(operator: string | undefined, rows: readonly TransportRow[]): OperatorFilter {
  return operator === undefined ? () => true : createOperatorFilter(operator, rows);
}

function fittingRows(
  given: readonly TransportRow[],
  { question, from, now, isOperator }: Page,
): readonly BoardRow[] {
  const platform = question.platform?.trim().toLowerCase();
  return given
    .filter((row) => isOperator(row) && (!platform || row.platform?.toLowerCase() === platform))
    .map(createBoardRow)
    .filter((row) => !isGone(row, now) && !(from && isBefore(row.aimedAt, from)));
}

/** `mayFail`: there is something to show without it, so a failure that will pass is no reason to show nothing. */
async function askFurther(
  ask: (question: TransportQuestion) => Promise<Answer<TransportBoard>>,
  question: TransportQuestion,
  mayFail = false,
): Promise<TransportBoard | undefined> {
  try {
    return (await ask(question)).value;
  } catch (error) {
    if (cannotTellLater(error) || (mayFail && isPassing(error))) {
      return undefined;
    }
    throw error;
  }
}

function refuseRoundTrip({ station, via }: BoardQuestion): void {
  if (via?.crs === station.crs) {
    throw new UserError(`Both stations are ${station.name}. Pick another one to filter by, or leave it out.`);
  }
}

function laterOf(from: Temporal.Instant | undefined, now: Temporal.Instant): Temporal.Instant | undefined {
  return from && isBefore(now, from) ? startOfMinute(from) : undefined;
}
