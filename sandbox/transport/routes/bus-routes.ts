// The path under which a bus's whole way is shown: the one that rows of a stop link to.
import { Hono } from "hono";
import { answer } from "../answer/answer.ts";
import { parsePathMoment } from "../board/values.ts";
import { formatBusRoute } from "../bus/route-answer.ts";
import type { StandInContext, StandInEnv } from "../context.ts";
import { localNetwork } from "../local/local-network.ts";
import { tripsAt } from "../local/trips.ts";
import { formatUkDate, formatUkTime } from "../railway/uk-time.ts";
import { Refusal } from "../refusals.ts";

const MINUTE_MS = 60_000;

/** Below `/v3/uk`. */
export function createBusRoutes(standIn: StandInContext): Hono<StandInEnv> {
  const routes = new Hono<StandInEnv>();
  routes.get("/bus/route/:operator/:line/:dir/:code/:date/:time/timetable.json", (request) => {
    const { operator, line, dir, code, date, time } = request.req.param();
    const nowMs = standIn.clock.now();
    const now = { date: formatUkDate(nowMs), time: formatUkTime(nowMs) };
    const dueMs = parsePathMoment(date, time, now);
    const trip = localNetwork()
      .callsAt(code)
      .filter((call) => call.line.operator === operator && call.line.name === line && call.line.dir === dir)
      .flatMap((call) => tripsAt(call, dueMs, dueMs + MINUTE_MS, standIn.railway.seed))[0];
    if (!trip) {
      throw new Refusal(404, "Bus route not found");
    }
    return answer(standIn, request, formatBusRoute(trip, code, nowMs));
  });
  return routes;
}
