// One train's calling points in the public service's shape.
import { operatorName } from "../railway/operators.ts";
import { liveCall } from "../railway/running.ts";
import type { Call, Train } from "../railway/train.ts";
import { formatUkDate, formatUkDateTime, formatUkTime } from "../railway/uk-time.ts";

/** Under which circumstances a train is shown. */
export interface ServiceContext {
  readonly isLive: boolean;
  readonly nowMs: number;
  readonly seed: number;
}

/** As in the service's answers to `service_timetables`: passed stops have neither status nor expected times. */
export function formatServiceTimetable(
  train: Train,
  context: ServiceContext,
): Readonly<Record<string, unknown>> {
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
    request_time: formatUkDateTime(context.nowMs),
    category: train.category,
    operator: train.operator,
    operator_name: operatorName(train.operator) ?? null,
    stops: train.calls.map((call, at) => formatStop(train, call, at, context)),
  };
}

function formatStop(train: Train, call: Call, at: number, { isLive, nowMs, seed }: ServiceContext) {
  const side = call.departMs === undefined ? "arrival" : "departure";
  const live = isLive ? liveCall(train, at, side, nowMs, seed) : undefined;
  return {
    station_code: call.station.crs,
    // The station list has no TIPLOCs.
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
}

function dateAndTime(name: string, atMs: number | undefined): Readonly<Record<string, string | null>> {
  return {
    [`${name}_date`]: atMs === undefined ? null : formatUkDate(atMs),
    [`${name}_time`]: atMs === undefined ? null : formatUkTime(atMs),
  };
}
