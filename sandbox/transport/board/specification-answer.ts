// A board in the specification's shape: its fields and no others. It shows departures only; arrivals follow by analogy.
import type { BoardEntry } from "../railway/board.ts";
import { operatorName } from "../railway/operators.ts";
import { formatUkTime } from "../railway/uk-time.ts";
import type { BoardLists } from "./public-answer.ts";
import type { BoardQuestion } from "./question.ts";
import type { AnswerBody } from "../answer/twist.ts";

/** `request_time` is ISO 8601 in UTC, to the second. */
export function formatSpecificationBoard(
  question: BoardQuestion,
  lists: BoardLists,
  nowMs: number,
): AnswerBody {
  const departures = lists.get("departure");
  const arrivals = lists.get("arrival");
  return {
    station_name: question.station.name,
    station_code: question.station.crs,
    ...(departures
      ? { departures: { all: departures.map((entry) => formatDeparture(entry, question.isLive)) } }
      : {}),
    ...(arrivals
      ? { arrivals: { all: arrivals.map((entry) => formatArrival(entry, question.isLive)) } }
      : {}),
    request_time: `${new Date(nowMs).toISOString().slice(0, 19)}Z`,
  };
}

function formatDeparture({ train, call, live }: BoardEntry, isLive: boolean): Record<string, unknown> {
  return {
    destination_name: train.calls.at(-1)?.station.name ?? null,
    ...(isLive ? { expected_departure_time: timeOrNull(live.expectedDepartMs) } : {}),
    scheduled_departure_time: timeOrNull(call.departMs),
    ...(isLive ? { status: live.status } : {}),
    platform: call.platform,
    operator: operatorName(train.operator) ?? train.operator,
  };
}

function formatArrival({ train, call, live }: BoardEntry, isLive: boolean): Record<string, unknown> {
  return {
    origin_name: train.calls[0]?.station.name ?? null,
    ...(isLive ? { expected_arrival_time: timeOrNull(live.expectedArriveMs) } : {}),
    scheduled_arrival_time: timeOrNull(call.arriveMs),
    ...(isLive ? { status: live.status } : {}),
    platform: call.platform,
    operator: operatorName(train.operator) ?? train.operator,
  };
}

function timeOrNull(atMs: number | undefined): string | null {
  return atMs === undefined ? null : formatUkTime(atMs);
}
