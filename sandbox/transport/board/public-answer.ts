// A board in the public service's shape.
import { aimedAt } from "../railway/board.ts";
import type { BoardEntry } from "../railway/board.ts";
import { operatorName } from "../railway/operators.ts";
import type { CallSide } from "../railway/running.ts";
import type { Call, Train } from "../railway/train.ts";
import { formatUkDate, formatUkDateTime, formatUkTime } from "../railway/uk-time.ts";
import type { BoardQuestion, StationDetail } from "./question.ts";
import type { AnswerBody } from "../answer/twist.ts";

/** What an answer says beyond the trains. */
export interface AnswerContext {
  readonly nowMs: number;
  /** The address of a train's timetable, credentials and all, as the real service writes it. */
  readonly timetableUrl: (train: Train) => string;
}

/** The lists of a board by what is asked of it. */
export type BoardLists = ReadonlyMap<CallSide | "pass", readonly BoardEntry[]>;

const LIST_NAMES = { departure: "departures", arrival: "arrivals", pass: "passes" } as const;

/** As at https://developer.transportapi.com: without live, the live fields are not there at all. */
export function formatPublicBoard(
  question: BoardQuestion,
  lists: BoardLists,
  context: AnswerContext,
): AnswerBody {
  return {
    date: formatUkDate(question.aroundMs),
    time_of_day: formatUkTime(question.aroundMs),
    request_time: formatUkDateTime(context.nowMs),
    station_name: question.station.name,
    station_code: question.namedAs,
    ...Object.fromEntries(
      [...lists].map(([side, entries]) => [
        LIST_NAMES[side],
        { all: entries.map((entry) => formatRow(question, entry, context)) },
      ]),
    ),
  };
}

function formatRow(
  question: BoardQuestion,
  entry: BoardEntry,
  context: AnswerContext,
): Record<string, unknown> {
  const { train, at, call, live } = entry;
  return {
    mode: train.mode,
    service: train.service,
    train_uid: train.uid,
    platform: call.platform,
    operator: train.operator,
    operator_name: operatorName(train.operator) ?? null,
    aimed_departure_time: timeOrNull(call.departMs),
    aimed_arrival_time: timeOrNull(call.arriveMs),
    aimed_pass_time: null,
    origin_name: train.calls[0]?.station.name ?? null,
    destination_name: train.calls.at(-1)?.station.name ?? null,
    source: question.isLive ? "Network Rail" : "ATOC",
    category: train.category,
    service_timetable: { id: context.timetableUrl(train) },
    ...(question.isLive
      ? {
          status: live.status,
          expected_arrival_time: timeOrNull(live.expectedArriveMs),
          expected_departure_time: timeOrNull(live.expectedDepartMs),
          best_arrival_estimate_mins: minutesFrom(context.nowMs, live.expectedArriveMs),
          best_departure_estimate_mins: minutesFrom(context.nowMs, live.expectedDepartMs),
        }
      : {}),
    ...(question.details.length > 0 ? { station_detail: formatDetail(question, train, at) } : {}),
  };
}

/** Stations of a filter come only with the filter of that name. */
function formatDetail(question: BoardQuestion, train: Train, at: number): Record<string, unknown> {
  const { callingAt, calledAt } = question.query;
  const detail = {
    origin: () => formatStop(train.calls[0]),
    destination: () => formatStop(train.calls.at(-1)),
    calling_at: () => (callingAt.length > 0 ? among(train.calls.slice(at + 1), callingAt) : undefined),
    called_at: () => (calledAt.length > 0 ? among(train.calls.slice(0, at), calledAt) : undefined),
  } satisfies Record<StationDetail, () => unknown>;
  return Object.fromEntries(question.details.map((name) => [name, detail[name]()]));
}

function among(calls: readonly Call[], codes: readonly string[]): readonly unknown[] {
  return calls.filter((call) => codes.includes(call.station.crs)).map((call) => formatStop(call));
}

function formatStop(call: Call | undefined): Record<string, unknown> | null {
  return call
    ? {
        station_name: call.station.name,
        platform: call.platform,
        station_code: call.station.crs,
        // The station list has no TIPLOCs.
        tiploc_code: null,
        aimed_arrival_time: timeOrNull(aimedAt(call, "arrival")),
        aimed_departure_time: timeOrNull(aimedAt(call, "departure")),
        aimed_pass_time: null,
      }
    : null;
}

function timeOrNull(atMs: number | undefined): string | null {
  return atMs === undefined ? null : formatUkTime(atMs);
}

function minutesFrom(nowMs: number, atMs: number | undefined): number | null {
  return atMs === undefined ? null : Math.floor((atMs - nowMs) / 60_000);
}
