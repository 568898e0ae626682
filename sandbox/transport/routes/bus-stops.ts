// The routes for a stop's buses, in the public service's format with its peculiarities.
import { Hono, type Context } from "hono";
import type { ServerEnv } from "../../faults/faults.ts";
import { busesAt, type BusDue } from "../board/bus-board.ts";
import { addressOf, answer, type StandInContext } from "../context.ts";
import { localNetwork, type Stop } from "../map/local-lines.ts";
import { stopPlace } from "../map/places.ts";
import { readQuery } from "../query.ts";
import { hash } from "../railway/chance.ts";
import { formatUkDate, formatUkDateTime, formatUkTime } from "../railway/uk-time.ts";
import { Refusal } from "../refusals.ts";

const DEFAULT_LIMIT = 3;
const MAX_ROWS = 300;

export function createBusStops(standIn: StandInContext): Hono<ServerEnv> {
  const routes = new Hono<ServerEnv>();

  /** The parameter for live buses is `nextbuses` on the legacy path and `live` on the current one. */
  function answerStop(request: Context<ServerEnv>, atcocode: string, badRequest: 400 | 422): Response {
    const nowMs = standIn.clock.now();
    const stop = parseStop(atcocode);
    const query = readQuery(request.req.url, badRequest);
    const { fromMs, toMs } = query.window(undefined, nowMs);
    const limit = Math.min(MAX_ROWS, query.count("limit", DEFAULT_LIMIT));
    const isGrouped = query.choice("group", "route", ["route", "no"]) === "route";
    // London's buses are always live.
    const isLive =
      badRequest === 422
        ? query.flag("live", false)
        : query.choice("nextbuses", "no", ["yes", "no"]) === "yes" || isInLondon(stop);
    const lists: Record<string, unknown[]> = isGrouped ? {} : { all: [] };
    for (const due of busesAt({ stop, fromMs, toMs, isLive }, nowMs, standIn.railway.seed)) {
      const list = (lists[isGrouped ? due.line.name : "all"] ??= []);
      if (list.length < limit) {
        list.push(formatRow(stop, due, isLive, standIn));
      }
    }
    return answer(standIn, request, {
      ...formatStop(stop),
      request_time: formatUkDateTime(nowMs),
      location: { type: "Point", coordinates: [stop.longitude, stop.latitude] },
      departures: lists,
    });
  }

  routes.get("/bus/stop/:code/live.json", (request) => answerStop(request, request.req.param("code"), 400));
  routes.get("/bus/stop_timetables/:file{[^/]+\\.json}", (request) =>
    answerStop(request, request.req.param("file").slice(0, -".json".length), 422),
  );
  return routes;
}

export function formatStop(stop: Stop): Readonly<Record<string, unknown>> {
  return {
    atcocode: stop.atcocode,
    smscode: String(47_000 + (hash("sms", stop.atcocode) % 50_000)),
    name: stopPlace(stop).name,
    stop_name: stop.name,
    bearing: "",
    indicator: stop.letter === undefined ? "" : `stop ${stop.letter}`,
    locality: stop.locality,
  };
}

function formatRow(
  stop: Stop,
  { line, direction, towards, dueMs, expectedMs }: BusDue,
  isLive: boolean,
  standIn: StandInContext,
): Readonly<Record<string, unknown>> {
  // The live source in London has no timetable.
  const isUntimed = isInLondon(stop) && expectedMs !== undefined;
  const hasNoDirection = isLive && hash(stop.atcocode, line.id, dueMs) % 23 === 0;
  const aimed = isUntimed ? null : formatUkTime(dueMs);
  const expected = expectedMs === undefined ? null : formatUkTime(expectedMs);
  const route = `${line.operator}/${line.name}/${direction}/${stop.atcocode}/${formatUkDate(dueMs)}`;
  return {
    mode: "bus",
    line: line.name,
    line_name: line.name,
    direction: hasNoDirection ? "No Information" : towards,
    operator: line.operator,
    operator_name: line.operatorName,
    date: formatUkDate(dueMs),
    aimed_departure_time: aimed,
    expected_departure_date: expectedMs === undefined ? null : formatUkDate(expectedMs),
    expected_departure_time: expected,
    // As at the real service, this is the aimed time if the bus is not tracked.
    best_departure_estimate: expected ?? aimed,
    dir: direction,
    id: addressOf(standIn, `/bus/route/${route}/${formatUkTime(dueMs)}/timetable.json`),
    source: expected === null ? "tnds" : isUntimed ? "Countdown instant" : "NextBuses",
  };
}

/** The bus stop with this ATCO code. Throws a 404 for other stops too, because tubes, trams and boats have no boards. */
function parseStop(atcocode: string): Stop {
  const stop = localNetwork().stops.get(atcocode.replace(/^atcocode:/i, "").toUpperCase());
  if (stop?.type !== "bus_stop") {
    throw new Refusal(404, "Bus stop not found");
  }
  return stop;
}

function isInLondon(stop: Stop): boolean {
  return stop.atcocode.startsWith("490");
}
