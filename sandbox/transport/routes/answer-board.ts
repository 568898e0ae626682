// From a board's question to its answer, in either shape; every path that shows a board ends here.
import type { Context } from "hono";
import type { AnswerDialect, StandInContext, StandInEnv } from "../context.ts";
import { formatPublicBoard } from "../board/public-answer.ts";
import type { BoardLists } from "../board/public-answer.ts";
import { parseBoardQuestion } from "../board/question.ts";
import type { BoardPath } from "../board/question.ts";
import { formatSpecificationBoard } from "../board/specification-answer.ts";
import { answer } from "../answer/answer.ts";
import { boardOf } from "../railway/board.ts";
import type { BoardEntry } from "../railway/board.ts";
import type { Train } from "../railway/train.ts";

/** How a board is to be answered. */
export interface BoardStyle {
  readonly dialect: AnswerDialect;
  /** Which path the trains' own timetables are shown at. */
  readonly links: "legacy" | "current";
}

/** Throws a Refusal for what cannot be read. */
export function answerBoard(
  standIn: StandInContext,
  request: Context<StandInEnv>,
  path: BoardPath,
  { dialect, links }: BoardStyle,
): Response {
  const nowMs = standIn.clock.now();
  const question = parseBoardQuestion(path, new URL(request.req.url).searchParams, nowMs);
  // The specification knows of no others.
  const passengerOnly = question.query.passengerOnly || dialect === "specification";
  const lists: BoardLists = new Map(
    question.sides.map((side): [typeof side, readonly BoardEntry[]] => [
      side,
      side === "pass" ? [] : boardOf(standIn.railway, { ...question.query, side, passengerOnly }, nowMs),
    ]),
  );
  const timetableUrl = (train: Train) => trainUrl(standIn, train, links);
  const body =
    dialect === "specification"
      ? formatSpecificationBoard(question, lists, nowMs)
      : formatPublicBoard(question, lists, { nowMs, timetableUrl });
  return answer(standIn, request, body);
}

/** The real service writes the caller's credentials into these addresses. */
function trainUrl(
  { baseUrl, credentials }: StandInContext,
  train: Train,
  links: BoardStyle["links"],
): string {
  const path =
    links === "current"
      ? `service_timetables/${train.uid}:${train.serviceDate}.json`
      : `service/train_uid:${train.uid}/${train.serviceDate}/timetable.json`;
  const query = new URLSearchParams({ app_id: credentials.appId, app_key: credentials.appKey });
  return `${baseUrl()}/v3/uk/train/${path}?${query.toString()}`;
}
