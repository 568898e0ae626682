// The path under which situations of bus services are shown. The service does not document their body.
import { Hono } from "hono";
import { answer } from "../answer/answer.ts";
import { isDate } from "../board/values.ts";
import { situationsOn } from "../bus/situations.ts";
import type { Situation } from "../bus/situations.ts";
import type { StandInContext, StandInEnv } from "../context.ts";
import { parseSlice, sliceOf } from "../places/question.ts";
import { formatUkDate, formatUkDateTime } from "../railway/uk-time.ts";
import { Refusal } from "../refusals.ts";

const MOST_A_PAGE = 20;

/** Below `/v3/uk`. */
export function createSituations(standIn: StandInContext): Hono<StandInEnv> {
  const routes = new Hono<StandInEnv>();
  const { seed } = standIn.railway;

  routes.get("/bus/situations.json", (request) => {
    const query = new URL(request.req.url).searchParams;
    const nowMs = standIn.clock.now();
    const date = query.get("date") ?? formatUkDate(nowMs);
    if (!isDate(date)) {
      throw new Refusal(422, "The value of date is not valid");
    }
    const found = situationsOn(date, seed);
    return answer(standIn, request, {
      request_time: formatUkDateTime(nowMs),
      member: sliceOf(found, parseSlice(query, "limit", MOST_A_PAGE)).map((each) =>
        formatSituation(each, nowMs),
      ),
    });
  });

  return routes;
}

function formatSituation(situation: Situation, nowMs: number): Readonly<Record<string, unknown>> {
  const { area, lines, stops } = situation;
  return {
    id: situation.id,
    version: 1,
    participant_ref: area.operator,
    creation_time: formatUkDateTime(situation.createdMs),
    progress: situation.toMs <= nowMs ? "closed" : "open",
    planned: situation.isPlanned,
    reason: situation.reason,
    severity: situation.reason === "incident" ? "normal" : "slight",
    summary: situation.summary,
    description: situation.description,
    validity_periods: [
      { start_time: formatUkDateTime(situation.fromMs), end_time: formatUkDateTime(situation.toMs) },
    ],
    affects: {
      operators: [{ operator: area.operator, operator_name: area.operatorName }],
      services: [...new Set(lines.map((line) => line.name))].map((line) => ({
        operator: area.operator,
        line,
      })),
      stops: stops.map((atcocode) => ({ atcocode })),
    },
  };
}
