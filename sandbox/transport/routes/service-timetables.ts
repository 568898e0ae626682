// The paths under which one train's calling points are shown: those that boards link to.
import { Hono } from "hono";
import type { Context } from "hono";
import { answer } from "../answer/answer.ts";
import { formatServiceTimetable } from "../board/service-answer.ts";
import { isDate, parseFlag } from "../board/values.ts";
import type { StandInContext, StandInEnv } from "../context.ts";
import { Refusal } from "../refusals.ts";

/** Below `/v3/uk`. */
export function createServiceTimetables(standIn: StandInContext): Hono<StandInEnv> {
  const routes = new Hono<StandInEnv>();

  function answerTrain(request: Context<StandInEnv>, uid: string, date: string): Response {
    const live = request.req.query("live") ?? null;
    const isLive = parseFlag(live, false, () => new Refusal(422, "The value of live is not valid"));
    const train = standIn.railway.timetable.trainOf(uid, date);
    if (!train) {
      throw new Refusal(404, "Train service not found");
    }
    const { seed } = standIn.railway;
    const body = formatServiceTimetable(train, { isLive, nowMs: standIn.clock.now(), seed });
    return answer(standIn, request, body);
  }

  routes.get("/train/service_timetables/:id{[A-Z][0-9]+:20[0-9-]+\\.json}", (request) => {
    const [uid = "", date = ""] = request.req.param("id").slice(0, -".json".length).split(":");
    return answerTrain(request, uid, requireDate(date));
  });
  routes.get("/train/service/:uid{train_uid:[A-Z][0-9]+}/:date/timetable.json", (request) =>
    answerTrain(
      request,
      request.req.param("uid").slice("train_uid:".length),
      requireDate(request.req.param("date")),
    ),
  );
  return routes;
}

function requireDate(date: string): string {
  if (!isDate(date)) {
    throw new Refusal(400, "The date is not valid");
  }
  return date;
}
