// Boards, in the formats of the specification and of the public service, and one train's calling points.
import { aimedAt, type BoardEntry, type BoardQuery } from "../railway/board.ts";
import { operatorName } from "../railway/operators.ts";
import { liveCall, type CallSide } from "../railway/running.ts";
import type { RailStation } from "../railway/stations.ts";
import type { Train } from "../railway/train.ts";
import { formatUkDate, formatUkDateTime, formatUkTime } from "../railway/uk-time.ts";
import type { AnswerBody } from "../faults.ts";

export interface BoardQuestion {
  readonly station: RailStation;
  /** The station as the request names it, e.g. `crs:YRK`. Answers repeat it. */
  readonly namedAs: string;
  readonly sides: readonly CallSide[];
  readonly isLive: boolean;
  /** The time to which the window's offsets are relative. */
  readonly aroundMs: number;
  readonly query: Omit<BoardQuery, "side">;
}

export type BoardLists = ReadonlyMap<CallSide, readonly BoardEntry[]>;

/** A board with exactly the specification's fields. Arrivals, which it does not show, follow by analogy. */
export function formatSpecificationBoard(
  { station, isLive }: BoardQuestion,
  lists: BoardLists,
  nowMs: number,
): AnswerBody {
  const row = (side: CallSide, { train, call, live }: BoardEntry) => {
    const isDeparture = side === "departure";
    const end = train.calls.at(isDeparture ? -1 : 0)?.station.name ?? null;
    const expectedMs = isDeparture ? live.expectedDepartMs : live.expectedArriveMs;
    return {
      [isDeparture ? "destination_name" : "origin_name"]: end,
      ...(isLive && { [`expected_${side}_time`]: timeOrNull(expectedMs) }),
      [`scheduled_${side}_time`]: timeOrNull(aimedAt(call, side)),
      ...(isLive && { status: live.status }),
      platform: call.platform,
      operator: operatorName(train.operator) ?? train.operator,
    };
  };
  return {
    station_name: station.name,
    station_code: station.crs,
    ...formatLists(lists, row),
    request_time: `${new Date(nowMs).toISOString().slice(0, 19)}Z`,
  };
}

/** A board as at https://developer.transportapi.com. If it is not live, the live fields are absent. */
export function formatPublicBoard(
  question: BoardQuestion,
  lists: BoardLists,
  nowMs: number,
  timetableUrl: (train: Train) => string,
): AnswerBody {
  const row = ({ train, call, live }: BoardEntry) => ({
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
    service_timetable: { id: timetableUrl(train) },
    ...(question.isLive && {
      status: live.status,
      expected_arrival_time: timeOrNull(live.expectedArriveMs),
      expected_departure_time: timeOrNull(live.expectedDepartMs),
      best_arrival_estimate_mins: minutesFrom(nowMs, live.expectedArriveMs),
      best_departure_estimate_mins: minutesFrom(nowMs, live.expectedDepartMs),
    }),
  });
  return {
    date: formatUkDate(question.aroundMs),
    time_of_day: formatUkTime(question.aroundMs),
    request_time: formatUkDateTime(nowMs),
    station_name: question.station.name,
    station_code: question.namedAs,
    ...formatLists(lists, (_side, entry) => row(entry)),
  };
}

function formatLists(lists: BoardLists, row: (side: CallSide, entry: BoardEntry) => unknown) {
  return Object.fromEntries(
    [...lists].map(([side, entries]) => [`${side}s`, { all: entries.map((entry) => row(side, entry)) }]),
  );
}

/** The answer to `service_timetables`. As at the service, stops behind the train have no status and no expected times. */
export function formatServiceTimetable(
  train: Train,
  isLive: boolean,
  nowMs: number,
  seed: number,
): AnswerBody {
  return {
    service: train.service,
    train_uid: train.uid,
    headcode: "",
    toc: { atoc_code: train.operator },
    train_status: train.kind === "freight" ? "F" : "P",
    origin_name: train.calls[0]?.station.name ?? null,
    destination_name: train.calls.at(-1)?.station.name ?? null,
    stop_of_interest: null,
    date: train.serviceDate,
    time_of_day: null,
    mode: train.mode,
    request_time: formatUkDateTime(nowMs),
    category: train.category,
    operator: train.operator,
    operator_name: operatorName(train.operator) ?? null,
    stops: train.calls.map((call, at) => {
      const side = call.departMs === undefined ? "arrival" : "departure";
      const live = isLive ? liveCall(train, at, side, nowMs, seed) : undefined;
      return {
        station_code: call.station.crs,
        tiploc_code: null,
        station_name: call.station.name,
        stop_type: call.arriveMs === undefined ? "LO" : call.departMs === undefined ? "LT" : "LI",
        platform: call.platform,
        ...dateAndTime("aimed_departure", call.departMs),
        ...dateAndTime("aimed_arrival", call.arriveMs),
        ...dateAndTime("aimed_pass", undefined),
        ...dateAndTime("expected_departure", live?.expectedDepartMs),
        ...dateAndTime("expected_arrival", live?.expectedArriveMs),
        ...dateAndTime("expected_pass", undefined),
        status: live?.status ?? null,
      };
    }),
  };
}

function dateAndTime(name: string, atMs: number | undefined): Readonly<Record<string, string | null>> {
  return {
    [`${name}_date`]: atMs === undefined ? null : formatUkDate(atMs),
    [`${name}_time`]: timeOrNull(atMs),
  };
}

function timeOrNull(atMs: number | undefined): string | null {
  return atMs === undefined ? null : formatUkTime(atMs);
}

function minutesFrom(nowMs: number, atMs: number | undefined): number | null {
  return atMs === undefined ? null : Math.floor((atMs - nowMs) / 60_000);
}
