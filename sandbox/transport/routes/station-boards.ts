// The paths under which a station's trains are shown: the specification's, the current one and the legacy ones.
import { Hono } from "hono";
import { parsePathMoment } from "../board/values.ts";
import type { StandInContext, StandInEnv } from "../context.ts";
import { formatUkDate, formatUkTime } from "../railway/uk-time.ts";
import { answerBoard } from "./answer-board.ts";

/** Below `/v3/uk`. */
export function createStationBoards(standIn: StandInContext): Hono<StandInEnv> {
  const routes = new Hono<StandInEnv>();
  const now = () => ({ date: formatUkDate(standIn.clock.now()), time: formatUkTime(standIn.clock.now()) });
  const legacyStyle = () => ({ dialect: standIn.dialect(), links: "legacy" }) as const;
  // The specification shows no fields of a timetable: what it leaves open follows the public service.
  const timetableStyle = { dialect: "public", links: "legacy" } as const;

  routes.get("/train/station_timetables/:file{[^/]+\\.json}", (request) =>
    answerBoard(
      standIn,
      request,
      {
        station: request.req.param("file").slice(0, -".json".length),
        aroundMs: undefined,
        isLive: false,
        badRequest: 422,
      },
      { dialect: "public", links: "current" },
    ),
  );

  routes.get("/train/station/:code/live.json", (request) =>
    answerBoard(
      standIn,
      request,
      { station: request.req.param("code"), aroundMs: undefined, isLive: true, badRequest: 400 },
      legacyStyle(),
    ),
  );

  // Date and time may be empty, so the router's own parameters do not fit: `/train/station/YRK///timetable.json`.
  routes.get("/train/station/*", (request, next) => {
    // The one character of a path that a client may have escaped is the colon of `crs:YRK`.
    const path = new URL(request.req.url).pathname.replaceAll(/%3a/gi, ":");
    const [, code, date, time] =
      /\/train\/station\/([^/]+)\/([^/]*)\/([^/]*)\/timetable\.json$/.exec(path) ?? [];
    if (code === undefined || date === undefined || time === undefined) {
      return next();
    }
    const aroundMs = date === "" && time === "" ? undefined : parsePathMoment(date, time, now());
    return Promise.resolve(
      answerBoard(
        standIn,
        request,
        { station: code, aroundMs, isLive: false, badRequest: 400 },
        timetableStyle,
      ),
    );
  });

  // The specification lists this path without its parameters: here they are the legacy path's, as a query.
  routes.on("GET", ["/timetable", "/timetable.json"], (request) => {
    const { station = "", date = "", time = "" } = request.req.query();
    const aroundMs = date === "" && time === "" ? undefined : parsePathMoment(date, time, now());
    return answerBoard(
      standIn,
      request,
      { station, aroundMs, isLive: false, badRequest: 400 },
      timetableStyle,
    );
  });

  return routes;
}
