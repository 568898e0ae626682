// The paths under which journeys are planned: the specification's, which is also the legacy one, and the current one.
import { Hono } from "hono";
import type { Context } from "hono";
import { answer, trainUrl, type StandInContext, type StandInEnv } from "../context.ts";
import { formatPublicJourneys, formatSpecificationJourneys } from "../journey/answers.ts";
import { planJourneys } from "../journey/plan.ts";
import { parseJourneyQuestion } from "../journey/question.ts";
import type { JourneyPath } from "../journey/question.ts";
import { readQuery } from "../query.ts";

/** Below `/v3/uk`. */
export function createJourneys(standIn: StandInContext): Hono<StandInEnv> {
  const routes = new Hono<StandInEnv>();

  function answerJourneys(request: Context<StandInEnv>, path: JourneyPath): Response {
    const nowMs = standIn.clock.now();
    const question = parseJourneyQuestion(path, readQuery(request.req.url, path.badRequest), nowMs);
    const found = planJourneys(question, standIn.railway, nowMs);
    const body =
      path.badRequest === 400
        ? formatSpecificationJourneys(found)
        : formatPublicJourneys(found, nowMs, (train) => trainUrl(standIn, train));
    return answer(standIn, request, body);
  }

  routes.get("/public_journey.json", (request) => {
    const { from = "", to = "", date = "", time = "" } = request.req.query();
    return answerJourneys(request, { from, to, date, time, isArrival: undefined, badRequest: 422 });
  });

  // Places hold colons, commas and escaped characters, so the router's own parameters do not fit.
  routes.get("/public/journey/from/*", (request, next) => {
    const path = new URL(request.req.url).pathname;
    const [, from, to, how, date, time] =
      /\/from\/([^/]+)\/to\/([^/]+?)(?:\/(at|by)\/([^/]*)\/([^/]*))?\.json$/.exec(path) ?? [];
    if (from === undefined || to === undefined) {
      return next();
    }
    const read = {
      from: decode(from),
      to: decode(to),
      // Date and time belong to the legacy path; the specification's takes a time as a query.
      date: date ?? request.req.query("date") ?? "",
      time: time ?? request.req.query("time") ?? "",
      isArrival: how === undefined ? undefined : how === "by",
      badRequest: 400,
    } as const;
    return Promise.resolve(answerJourneys(request, read));
  });
  return routes;
}

/** In paths too, `+` may stand for a space. What is escaped wrongly is taken as it stands. */
function decode(part: string): string {
  const spaced = part.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
