import { z } from "zod";
import { anchorUkTime, byTime, isBefore, startOfMinute, sameUkTimes } from "../../time/uk-time.ts";
import { type NoteSkipped, readEach, unexpectedAnswer } from "../ask.ts";
import { looseTexts, readInstant } from "../read-values.ts";
import type { TransportBoard, TransportQuestion, TransportRow } from "../transport-data.ts";

/**
 * Reads an answer. A row without an aimed time or a place is left out, and noted as skipped: there is nothing to
 * show of it. Where no row can be used, or the answer is about something else, throws ServiceError `unexpected-answer`.
 */
export function readBoard(
  answer: BoardAnswer,
  context: BoardContext,
  noteSkipped: NoteSkipped,
): TransportBoard {
  const { question, now } = context;
  const given = listedRows(answer, question.kind);
  const dataAt = readInstant(answer.request_time) ?? now;
  const start = question.from && context.source === "timetable" ? question.from : dataAt;
  const anchor = start.add({ minutes: anchorAheadMinutes(context) });

  let previous = context.source === "timetable" ? start : undefined;
  const read = (entry: unknown): TransportRow | undefined => {
    const row = readRow(entry, { ...context, anchor, previous });
    previous = row?.aimedAt ?? previous;
    return row;
  };
  const lack = `no row of ${question.kind}.all has both an aimed time and a place`;
  const rows = readEach("transport", given, read, lack, noteSkipped).toSorted(byTime((row) => row.aimedAt));
  return {
    source: "transport",
    crs: question.crs,
    stationName: answer.station_name,
    dataAt,
    coversUntil: coversUntil(context, start, rows),
    rows,
  };
}

function listedRows(answer: BoardAnswer, kind: TransportQuestion["kind"]): readonly unknown[] {
  const other = kind === "departures" ? "arrivals" : "departures";
  const isBoard = answer.request_time ?? answer.station_code ?? answer.station_name;
  // An empty board may come without its list, but "{}" is no board, and the other list is no answer.
  if (answer[kind] === undefined && (answer[other] !== undefined || isBoard === undefined)) {
    throw unexpectedAnswer("transport", `${kind} is missing`);
  }
  return answer[kind]?.all ?? [];
}

/** What tells which moment a row's times mean. */
interface RowContext extends BoardContext {
  readonly anchor: Temporal.Instant;
  /** The row before, or where the rows begin, as far as that is known. */
  readonly previous: Temporal.Instant | undefined;
}

function readRow(entry: unknown, within: RowContext): TransportRow | undefined {
  const { data: row } = boardRowSchema.safeParse(entry);
  const { aimed, expected, place } = row ? sideOf(row, within.question.kind) : {};
  const nearest = anchorUkTime(aimed ?? "", within.anchor);
  if (!row || !nearest || place === undefined) {
    return undefined;
  }
  const aimedAt = chooseTwin(nearest, within);
  const status = row.status?.toUpperCase();
  return {
    mode: row.mode?.toLowerCase().includes("bus") || status === "BUS" ? "bus" : "train",
    status,
    aimedAt,
    expectedAt: anchorUkTime(expected ?? "", aimedAt),
    platform: row.platform,
    ...readOperator(row),
    place,
    trainUid: row.train_uid,
    startDate: startDateOf(row),
    service: row.service,
  };
}

/** The address of a train's timetable names the day it starts; the address itself may hold the account's key. */
function startDateOf({ service_timetable: link }: BoardRowAnswer): string | undefined {
  return /[:/](\d{4}-\d{2}-\d{2})(?:[/.]|$)/.exec(link?.id?.split("?")[0] ?? "")?.[1];
}

/** `operator` is a code beside an `operator_name` and in the public service, a name in the specification. */
export function readOperator({
  operator,
  operator_name: name,
}: {
  readonly operator?: string | undefined;
  readonly operator_name?: string | undefined;
}) {
  const isCode = name !== undefined || /^[A-Z0-9]{2}$/.test(operator ?? "");
  return { operatorCode: isCode ? operator : undefined, operatorName: isCode ? name : operator };
}

function sideOf(row: BoardRowAnswer, kind: TransportQuestion["kind"]) {
  return kind === "departures"
    ? {
        aimed: row.aimed_departure_time ?? row.scheduled_departure_time,
        expected: row.expected_departure_time,
        place: row.destination_name,
      }
    : {
        aimed: row.aimed_arrival_time ?? row.scheduled_arrival_time,
        expected: row.expected_arrival_time,
        place: row.origin_name,
      };
}

// Times have no date, so each is taken as the moment nearest to one point. In a short window that point lies a little
// ahead of its start: on the night when an hour comes twice, nearly all rows are ahead. In a window of most of a day
// it lies far enough ahead for the window's end to be nearer than the day before, also where a day has 23 hours.
const ANCHOR_AHEAD_MINUTES = 25;
const LONG_WINDOW_MINUTES = 11 * 60;
const LONG_WINDOW_ANCHOR_AHEAD_MINUTES = 11 * 60;

function anchorAheadMinutes({ source, question }: BoardContext): number {
  return source === "timetable" && question.windowMinutes > LONG_WINDOW_MINUTES
    ? LONG_WINDOW_ANCHOR_AHEAD_MINUTES
    : ANCHOR_AHEAD_MINUTES;
}

/** Departures come in the order of their aimed times; arrivals may come in that of their departures. */
const OUT_OF_ORDER_MINUTES = { departures: 0, arrivals: 5 } as const;

/**
 * Of a time in the hour that comes twice, the one with which the rows stay in order. A window begins where it was asked to,
 * so there the first that fits; a live board also has late trains, of any time, so there the nearest.
 */
function chooseTwin(nearest: Temporal.Instant, { source, question, previous }: RowContext): Temporal.Instant {
  const [first, second] = sameUkTimes(nearest);
  if (first === undefined || second === undefined || previous === undefined) {
    return nearest;
  }
  const preferred = source === "timetable" ? first : nearest;
  const minutes = OUT_OF_ORDER_MINUTES[question.kind];
  return isBefore(preferred, startOfMinute(previous).subtract({ minutes })) ? second : preferred;
}

// The fields of a board that we use, in either dialect: scheduled_* is the specification's, aimed_* the public service's.

const boardRowSchema = z.object({
  ...looseTexts("mode", "status", "platform", "operator", "operator_name", "origin_name"),
  ...looseTexts("destination_name", "train_uid", "service"),
  service_timetable: z.object(looseTexts("id")).optional().catch(undefined),
  ...looseTexts("aimed_departure_time", "scheduled_departure_time", "expected_departure_time"),
  ...looseTexts("aimed_arrival_time", "scheduled_arrival_time", "expected_arrival_time"),
});

type BoardRowAnswer = z.infer<typeof boardRowSchema>;

/** Rows stay unread here: each is judged on its own. An empty board may have no list, or none at all. */
const rowList = z.object({ all: z.array(z.unknown()).nullish() }).nullish();

export const boardSchema = z.object({
  ...looseTexts("request_time", "station_name", "station_code"),
  departures: rowList,
  arrivals: rowList,
});

type BoardAnswer = z.infer<typeof boardSchema>;

// How much time an answer covers. The service does not say, so it is worked out from what was asked and what came.

/** How far a live board looks ahead by default, according to the public service's documentation. */
export const LIVE_WINDOW_MINUTES = 120;

/** How an answer came about. */
interface BoardContext {
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
function coversUntil(
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
  const isNearEnd = last && !isBefore(last, end.subtract({ minutes: NEAR_END_MINUTES }));
  return last && mayBeCut && !isNearEnd ? last : end;
}
