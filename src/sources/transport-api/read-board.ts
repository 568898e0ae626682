import { z } from "zod";
import { anchorUkTime, byTime, isBefore, startOfMinute, sameUkTimes } from "../../time/uk-time.ts";
import { type OnSkipped, readEach, unexpectedAnswer } from "../ask.ts";
import { looseTexts, readInstant } from "../read-values.ts";
import type { TransportBoard, TransportQuestion, TransportRow } from "../transport-data.ts";

/** Skips rows without an aimed time or a place. Throws `unexpected-answer` if none is usable, or it is no board. */
export function readBoard(answer: BoardAnswer, context: BoardContext, onSkipped: OnSkipped): TransportBoard {
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
  const problem = `no row of ${question.kind}.all has both an aimed time and a place`;
  const rows = readEach("transport", given, read, problem, onSkipped).toSorted(byTime((row) => row.aimedAt));
  return {
    source: "transport",
    crs: question.crs,
    dataAt,
    coversUntil: coversUntil(context, start, rows),
    rows,
  };
}

function listedRows(answer: BoardAnswer, kind: TransportQuestion["kind"]): readonly unknown[] {
  const other = kind === "departures" ? "arrivals" : "departures";
  const isBoard = answer.request_time ?? answer.station_code ?? answer.station_name;
  // An empty board may lack its list, but "{}" is not a board, and neither is an answer with the other list.
  if (answer[kind] === undefined && (answer[other] !== undefined || isBoard === undefined)) {
    throw unexpectedAnswer("transport", `${kind} is missing`);
  }
  return answer[kind]?.all ?? [];
}

interface RowContext extends BoardContext {
  readonly anchor: Temporal.Instant;
  /** The time of the previous row, or of the beginning of the rows; `undefined` if it is not known. */
  readonly previous: Temporal.Instant | undefined;
}

function readRow(entry: unknown, within: RowContext): TransportRow | undefined {
  const { data: row } = boardRowSchema.safeParse(entry);
  const { aimed, expected, place } = row ? sideOf(row, within.question.kind) : {};
  const nearest = anchorUkTime(aimed ?? "", within.anchor);
  if (!row || !nearest || place === undefined) {
    return undefined;
  }
  const aimedAt = resolveRepeatedTime(nearest, within);
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
  };
}

/** From the address of its timetable, which is not returned, because it may contain the account's key. */
function startDateOf({ service_timetable: link }: BoardRowAnswer): string | undefined {
  return /[:/](\d{4}-\d{2}-\d{2})(?:[/.]|$)/.exec(link?.id?.split("?")[0] ?? "")?.[1];
}

/** `operator` is a code in the public dialect and beside an `operator_name`; in the specification's, it is a name. */
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

// Times have no date, so each means the moment nearest to an anchor. In a short window, the anchor lies a little after the
// window's start: on the night when an hour comes twice, nearly all rows are ahead. In a window of most of a day, it lies so
// far ahead that the window's end is nearer than the previous day, even on a day of 23 hours.
export const ANCHOR_AHEAD_MINUTES = 25;
const LONG_WINDOW_MINUTES = 11 * 60;
const LONG_WINDOW_ANCHOR_AHEAD_MINUTES = 11 * 60;

function anchorAheadMinutes({ source, question }: BoardContext): number {
  return source === "timetable" && question.windowMinutes > LONG_WINDOW_MINUTES
    ? LONG_WINDOW_ANCHOR_AHEAD_MINUTES
    : ANCHOR_AHEAD_MINUTES;
}

/** Departures come in the order of their aimed times, but arrivals may come in that of their departures. */
const OUT_OF_ORDER_MINUTES = { departures: 0, arrivals: 5 } as const;

/**
 * Chooses the moment that keeps the rows in order if UK clocks show the time twice. In a timetable, which begins at a known
 * time, that is the first one that fits. A live board also has late trains, with any time, so it is the nearest one.
 */
function resolveRepeatedTime(
  nearest: Temporal.Instant,
  { source, question, previous }: RowContext,
): Temporal.Instant {
  const [first, second] = sameUkTimes(nearest);
  if (first === undefined || second === undefined || previous === undefined) {
    return nearest;
  }
  const preferred = source === "timetable" ? first : nearest;
  const minutes = OUT_OF_ORDER_MINUTES[question.kind];
  return isBefore(preferred, startOfMinute(previous).subtract({ minutes })) ? second : preferred;
}

// The fields that we use, in either dialect: scheduled_* in the specification, aimed_* in the public service.

const boardRowSchema = z.object({
  ...looseTexts("mode", "status", "platform", "operator", "operator_name", "origin_name"),
  ...looseTexts("destination_name", "train_uid"),
  service_timetable: z.object(looseTexts("id")).optional().catch(undefined),
  ...looseTexts("aimed_departure_time", "scheduled_departure_time", "expected_departure_time"),
  ...looseTexts("aimed_arrival_time", "scheduled_arrival_time", "expected_arrival_time"),
});

type BoardRowAnswer = z.infer<typeof boardRowSchema>;

/** Rows are parsed later, one by one. An empty board may lack `all`, or the object around it. */
const rowList = z.object({ all: z.array(z.unknown()).nullish() }).nullish();

export const boardSchema = z.object({
  ...looseTexts("request_time", "station_name", "station_code"),
  departures: rowList,
  arrivals: rowList,
});

type BoardAnswer = z.infer<typeof boardSchema>;

// How much time an answer covers. The service does not say, so this is derived from the question and the rows.

/** How far a live board looks ahead by default, according to the public service's documentation. */
export const LIVE_WINDOW_MINUTES = 120;

interface BoardContext {
  readonly question: TransportQuestion;
  /** `live`: a live board, whose length the service chooses. `timetable`: the window that we asked for. */
  readonly source: "live" | "timetable";
  readonly now: Temporal.Instant;
}

/** The specification's live boards may end after 10 to 50 rows without saying so, regardless of the limit. */
const SHORTEST_CUT_ROWS = 10;
const LONGEST_CUT_ROWS = 50;
/** If the last row is this close to the end of the time, the answer is taken to be complete. */
const NEAR_END_MINUTES = 10;

/** The time up to which the answer is complete. `start` is when it begins. */
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
