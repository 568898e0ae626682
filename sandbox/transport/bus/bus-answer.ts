// A bus stop in the public service's shape, with its peculiarities.
import type { Stop } from "../local/stop.ts";
import { hash } from "../railway/chance.ts";
import { formatUkDate, formatUkDateTime, formatUkTime } from "../railway/uk-time.ts";
import type { BusDue } from "./bus-board.ts";

/** How the rows of a stop are laid out. */
export interface BusLayout {
  /** One list for each line, or one for all. */
  readonly isGrouped: boolean;
  /** Rows in a list. */
  readonly limit: number;
  readonly isLive: boolean;
  readonly nowMs: number;
  readonly routeUrl: (due: BusDue) => string;
}

/** The whole answer. */
export function formatBusStop(
  stop: Stop,
  dues: readonly BusDue[],
  layout: BusLayout,
): Readonly<Record<string, unknown>> {
  const lists: Record<string, unknown[]> = layout.isGrouped ? {} : { all: [] };
  for (const due of dues) {
    const list = (lists[layout.isGrouped ? due.trip.line.name : "all"] ??= []);
    if (list.length < layout.limit) {
      list.push(formatRow(stop, due, layout));
    }
  }
  return {
    atcocode: stop.atcocode,
    smscode: smsCode(stop),
    request_time: formatUkDateTime(layout.nowMs),
    name: stop.indicator === undefined ? stop.name : `${stop.name} (${stop.indicator})`,
    stop_name: stop.name,
    bearing: stop.bearing ?? "",
    indicator: stop.indicator ?? "",
    locality: stop.locality,
    location: { type: "Point", coordinates: [stop.longitude, stop.latitude] },
    departures: lists,
  };
}

function formatRow(
  stop: Stop,
  due: BusDue,
  { isLive, routeUrl }: BusLayout,
): Readonly<Record<string, unknown>> {
  const { trip, dueMs, expectedMs } = due;
  const { line } = trip;
  // In London the live source knows no timetable.
  const isUntimed = isLive && isInLondon(stop) && expectedMs !== undefined;
  const tellsNothing = isLive && hash(stop.atcocode, line.id, trip.number) % 23 === 0;
  const aimed = isUntimed ? null : formatUkTime(dueMs);
  const expected = expectedMs === undefined ? null : formatUkTime(expectedMs);
  return {
    mode: "bus",
    line: line.name,
    line_name: line.name,
    direction: tellsNothing ? "No Information" : line.towards,
    operator: line.operator,
    operator_name: line.operatorName,
    date: formatUkDate(dueMs),
    aimed_departure_time: aimed,
    expected_departure_date: expectedMs === undefined ? null : formatUkDate(expectedMs),
    expected_departure_time: expected,
    // No proof that anybody follows the bus: without an expected time it is the aimed one.
    best_departure_estimate: expected ?? aimed,
    dir: line.dir,
    id: routeUrl(due),
    source: expected === null ? "tnds" : isUntimed ? "Countdown instant" : "NextBuses",
  };
}

/** What passengers send by text message: five digits in London, eight elsewhere. */
function smsCode(stop: Stop): string {
  const number = hash("sms", stop.atcocode);
  return isInLondon(stop) ? String(47_000 + (number % 50_000)) : String(10_000_000 + (number % 89_999_999));
}

function isInLondon(stop: Stop): boolean {
  return stop.atcocode.startsWith("490");
}
