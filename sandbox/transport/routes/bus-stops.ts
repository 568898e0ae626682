// The paths under which a stop's buses are shown.
import { Hono } from "hono";
import type { Context } from "hono";
import { answer } from "../answer/answer.ts";
import { parsePathMoment } from "../board/values.ts";
import { formatBusStop } from "../bus/bus-answer.ts";
import { busesAt } from "../bus/bus-board.ts";
import type { BusDue } from "../bus/bus-board.ts";
import { parseBusQuestion } from "../bus/question.ts";
import type { BusPath } from "../bus/question.ts";
import type { StandInContext, StandInEnv } from "../context.ts";
import { formatUkDate, formatUkTime } from "../railway/uk-time.ts";

/** Below `/v3/uk`. */
export function createBusStops(standIn: StandInContext): Hono<StandInEnv> {
  const routes = new Hono<StandInEnv>();

  function answerStop(request: Context<StandInEnv>, path: BusPath): Response {
    const nowMs = standIn.clock.now();
    const { query, isGrouped, limit } = parseBusQuestion(path, new URL(request.req.url).searchParams, nowMs);
    const dues = busesAt(query, nowMs, standIn.railway.seed);
    const routeUrl = (due: BusDue) => urlOfRoute(standIn, query.stop.atcocode, due);
    const { isLive } = query;
    return answer(
      standIn,
      request,
      formatBusStop(query.stop, dues, { isGrouped, limit, isLive, nowMs, routeUrl }),
    );
  }

  routes.get("/bus/stop/:code/live.json", (request) =>
    answerStop(request, {
      atcocode: request.req.param("code"),
      aroundMs: undefined,
      kind: "live",
      badRequest: 400,
    }),
  );

  // Date and time may be empty, so the router's own parameters do not fit.
  routes.get("/bus/stop/*", (request, next) => {
    const [, code, date, time] =
      /\/bus\/stop\/([^/]+)\/([^/]*)\/([^/]*)\/timetable\.json$/.exec(new URL(request.req.url).pathname) ??
      [];
    if (code === undefined || date === undefined || time === undefined) {
      return next();
    }
    const nowMs = standIn.clock.now();
    const now = { date: formatUkDate(nowMs), time: formatUkTime(nowMs) };
    const aroundMs = date === "" && time === "" ? undefined : parsePathMoment(date, time, now);
    return Promise.resolve(
      answerStop(request, { atcocode: code, aroundMs, kind: "timetable", badRequest: 400 }),
    );
  });

  routes.get("/bus/stop_timetables/:file{[^/]+\\.json}", (request) =>
    answerStop(request, {
      atcocode: request.req.param("file").slice(0, -".json".length),
      aroundMs: undefined,
      kind: "current",
      badRequest: 422,
    }),
  );
  return routes;
}

function urlOfRoute(
  { baseUrl, credentials }: StandInContext,
  atcocode: string,
  { trip, dueMs }: BusDue,
): string {
  const { operator, name, dir } = trip.line;
  const query = new URLSearchParams({ app_id: credentials.appId, app_key: credentials.appKey });
  return `${baseUrl()}/v3/uk/bus/route/${operator}/${name}/${dir}/${atcocode}/${formatUkDate(dueMs)}/${formatUkTime(dueMs)}/timetable.json?${query.toString()}`;
}
