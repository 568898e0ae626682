// One bus on its way along its route, in the public service's shape: what a row of a stop links to.
import { dueAt } from "../local/trips.ts";
import type { Trip } from "../local/trips.ts";
import { formatUkDate, formatUkDateTime, formatUkTime } from "../railway/uk-time.ts";

/** The stops from the first to the last, with planned times. */
export function formatBusRoute(
  trip: Trip,
  originAtcocode: string,
  nowMs: number,
): Readonly<Record<string, unknown>> {
  const { line } = trip;
  return {
    request_time: formatUkDateTime(nowMs),
    operator: line.operator,
    operator_name: line.operatorName,
    line: line.name,
    line_name: line.name,
    origin_atcocode: originAtcocode,
    dir: line.dir,
    stops: line.stops.map((stop, at) => ({
      date: formatUkDate(dueAt(trip, at)),
      time: formatUkTime(dueAt(trip, at)),
      atcocode: stop.atcocode,
      name: stop.indicator === undefined ? stop.name : `${stop.name} (${stop.indicator})`,
      stop_name: stop.name,
      smscode: "",
      locality: stop.locality,
      bearing: stop.bearing ?? "",
      indicator: stop.indicator ?? "",
      latitude: stop.latitude,
      longitude: stop.longitude,
    })),
  };
}
