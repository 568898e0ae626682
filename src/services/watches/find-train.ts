// Finds the trains that a person may mean by a station and a time: live where a board reaches as far, otherwise planned.
import { Temporal } from "temporal-polyfill";
import type { TransportClient } from "../../clients/transport/client.ts";
import type { TransportBoard, TransportQuestion } from "../../clients/transport/transport-board.ts";
import type { Clock } from "../../core/clock.ts";
import { UserError } from "../../core/errors.ts";
import { isBefore } from "../../core/instants.ts";
import { startOfMinute } from "../../core/uk-time.ts";
import { type Answers, isPassing } from "../cache/answers.ts";
import { createBoardRow, isGone } from "../departures/board-row.ts";
import { BOARD_WINDOW_MINUTES, type BoardRow } from "../departures/departures.ts";
import { boardKey, liveQuestion } from "../departures/live-question.ts";
import { mergeRows } from "../departures/merge-rows.ts";
import type { TrainQuestion, Watches } from "./watches.ts";

/** What finding stands on. */
export interface FindTrainDependencies {
  readonly transport: Pick<TransportClient, "board">;
  /** The store that boards are asked through: most trains are found at no cost. */
  readonly answers: Pick<Answers, "ask">;
  readonly clock: Clock;
}

/** People round times, and remember those of last year's timetable. */
const BEFORE_MINUTES = 10;
const AFTER_MINUTES = 30;
/** What is further off is still changed by whoever makes timetables. */
const DAYS_AHEAD = 7;

/** Makes the search. It costs one request; two where a live board ends before the time. */
export function createFindTrain({ transport, answers, clock }: FindTrainDependencies): Watches["find"] {
  async function ask(question: TransportQuestion): Promise<TransportBoard> {
    return (await answers.ask(boardKey(question), () => transport.board(question))).value;
  }

  /** `undefined` where the live board has shown all there is, or can be shown without the rest. */
  async function askRest(
    question: TransportQuestion,
    live: TransportBoard | undefined,
  ): Promise<TransportBoard | undefined> {
    try {
      return await ask(question);
    } catch (error) {
      if (live !== undefined && isPassing(error)) {
        return undefined;
      }
      throw error;
    }
  }

  return async (question) => {
    const now = Temporal.Instant.fromEpochMilliseconds(clock.now());
    const { station, to, at } = question;
    refuse(question, now);
    const early = at.subtract({ minutes: BEFORE_MINUTES });
    const until = at.add({ minutes: AFTER_MINUTES });
    const asked = liveQuestion({ kind: "departures", crs: station.crs, via: to?.crs });
    const isSoon = isBefore(at, now.add({ minutes: BOARD_WINDOW_MINUTES }));
    const live = isSoon ? await ask(asked) : undefined;
    const from = startOfMinute(isBefore(early, now) ? now : early);
    const rest =
      live !== undefined && !isBefore(live.coversUntil, until)
        ? undefined
        : await askRest({ ...asked, from, windowMinutes: minutesBetween(from, until), live: false }, live);
    const rows = mergeRows(live?.rows ?? [], rest?.rows)
      .map(createBoardRow)
      .filter((row) => !isGone(row, now) && isBefore(row.aimedAt, until));
    return meant(rows, question, early);
  };
}

/** Those of just this time where there are any; otherwise those around it. */
function meant(
  rows: readonly BoardRow[],
  { at, isNow }: TrainQuestion,
  early: Temporal.Instant,
): readonly BoardRow[] {
  const exact = isNow ? [] : rows.filter(({ aimedAt }) => aimedAt.equals(startOfMinute(at)));
  // Late trains of before are still awaited now.
  return exact.length > 0 ? exact : rows.filter(({ aimedAt }) => isNow || !isBefore(aimedAt, early));
}

function refuse({ station, to, at }: TrainQuestion, now: Temporal.Instant): void {
  if (to?.crs === station.crs) {
    throw new UserError(`Both stations are ${station.name}. Pick another one to go to, or leave it out.`);
  }
  if (isBefore(now.add({ hours: DAYS_AHEAD * 24 }), at)) {
    throw new UserError(
      "I can watch trains of the next 7 days. For a train that you take often, `/watch commute` is the better choice.",
    );
  }
}

function minutesBetween(from: Temporal.Instant, to: Temporal.Instant): number {
  return Math.ceil(to.since(from).total("minutes"));
}
