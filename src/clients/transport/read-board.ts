// Turns an answer of either dialect into a board of our own.
import { Temporal } from "temporal-polyfill";
import { ServiceError } from "../../core/errors.ts";
import { anchorUkTime } from "../../core/uk-time.ts";
import { type BoardAnswer, type BoardRowAnswer, boardRowSchema } from "./board-schema.ts";
import { type BoardContext, coversUntil } from "./board-span.ts";
import { readInstant } from "./read-instant.ts";
import { readOperator } from "./read-operator.ts";
import { TRANSPORT } from "./refusal.ts";
import type { TransportBoard, TransportQuestion, TransportRow } from "./transport-board.ts";

/** A board, and how many rows it had that could not be used. */
export interface ReadBoard {
  readonly board: TransportBoard;
  readonly skippedRows: number;
}

/**
 * Reads an answer. A row without an aimed time or a place is left out: there is nothing to show of it. Where no row
 * at all can be used, or the answer is about something else, throws ServiceError `unexpected-answer`.
 */
export function readBoard(answer: BoardAnswer, context: BoardContext): ReadBoard {
  const { question, now } = context;
  const given = listedRows(answer, question.kind);
  const dataAt = readInstant(answer.request_time) ?? now;
  const start = question.from && context.source === "timetable" ? question.from : dataAt;
  const anchor = start.add({ minutes: anchorAheadMinutes(context) });

  const rows = given
    .flatMap((entry) => readRow(entry, question.kind, anchor) ?? [])
    .toSorted((a, b) => Temporal.Instant.compare(a.aimedAt, b.aimedAt));
  if (given.length > 0 && rows.length === 0) {
    throw unexpected(`no row of ${question.kind}.all has both an aimed time and a place`);
  }
  const board: TransportBoard = {
    crs: question.crs,
    stationName: answer.station_name,
    dataAt,
    coversUntil: coversUntil(context, start, rows),
    rows,
  };
  return { board, skippedRows: given.length - rows.length };
}

function listedRows(answer: BoardAnswer, kind: TransportQuestion["kind"]): readonly unknown[] {
  const other = kind === "departures" ? "arrivals" : "departures";
  const isBoard = answer.request_time ?? answer.station_code ?? answer.station_name;
  // An empty board may come without its list, but "{}" is no board, and the other list is no answer.
  if (answer[kind] === undefined && (answer[other] !== undefined || isBoard === undefined)) {
    throw unexpected(`${kind} is missing`);
  }
  return answer[kind]?.all ?? [];
}

function readRow(
  entry: unknown,
  kind: TransportQuestion["kind"],
  anchor: Temporal.Instant,
): TransportRow | undefined {
  const { data: row } = boardRowSchema.safeParse(entry);
  if (!row) {
    return undefined;
  }
  const { aimed, expected, place } = kind === "departures" ? departureOf(row) : arrivalOf(row);
  const aimedAt = anchorUkTime(aimed ?? "", anchor);
  if (!aimedAt || place === undefined) {
    return undefined;
  }
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

function departureOf(row: BoardRowAnswer) {
  return {
    aimed: row.aimed_departure_time ?? row.scheduled_departure_time,
    expected: row.expected_departure_time,
    place: row.destination_name,
  };
}

function arrivalOf(row: BoardRowAnswer) {
  return {
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

function unexpected(message: string): ServiceError {
  return new ServiceError(TRANSPORT, "unexpected-answer", message);
}
