// The routes for the network's status and for bus disruptions. The fields of neither are documented.
import { Hono } from "hono";
import type { ServerEnv } from "../../faults/faults.ts";
import { answer, type StandInContext } from "../context.ts";
import { isDate, readQuery, sliceOf } from "../query.ts";
import { formatUkDate, formatUkDateTime } from "../railway/uk-time.ts";
import { localStatus, situationsOn, type Situation } from "../status/local-status.ts";
import { trainStatus } from "../status/train-status.ts";

const MAX_PER_PAGE = 20;

export function createNetwork(standIn: StandInContext): Hono<ServerEnv> {
  const routes = new Hono<ServerEnv>();
  const { railway } = standIn;

  routes.get("/status.json", (request) => {
    const nowMs = standIn.clock.now();
    return answer(standIn, request, {
      request_time: `${new Date(nowMs).toISOString().slice(0, 19)}Z`,
      status: [...trainStatus(railway, nowMs), ...localStatus(nowMs, railway.seed)],
    });
  });

  routes.get("/bus/situations.json", (request) => {
    const query = readQuery(request.req.url, 422);
    const nowMs = standIn.clock.now();
    const date = query.text("date") ?? formatUkDate(nowMs);
    if (!isDate(date)) {
      throw query.refuse("The value of date is not valid");
    }
    return answer(standIn, request, {
      request_time: formatUkDateTime(nowMs),
      member: sliceOf(situationsOn(date, railway.seed), query.slice("limit", MAX_PER_PAGE)).map(
        formatSituation,
      ),
    });
  });
  return routes;
}

function formatSituation({ line, isPlanned, reason, fromMs, toMs, summary, description }: Situation) {
  const { operator, operatorName, name } = line;
  return {
    id: `${operator}-${line.id}-${formatUkDate(fromMs)}`,
    participant_ref: operator,
    progress: "open",
    planned: isPlanned,
    reason,
    summary,
    description,
    validity_periods: [{ start_time: formatUkDateTime(fromMs), end_time: formatUkDateTime(toMs) }],
    affects: {
      operators: [{ operator, operator_name: operatorName }],
      services: [{ operator, line: name }],
    },
  };
}
