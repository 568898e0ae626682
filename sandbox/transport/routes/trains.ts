// The specified, current and legacy routes for a station's trains and for one train's calling points.
import { Hono, type Context } from "hono";
import type { ServerEnv } from "../../faults/faults.ts";
import {
  formatPublicBoard,
  formatServiceTimetable,
  formatSpecificationBoard,
  type BoardLists,
  type BoardQuestion,
} from "../board/answers.ts";
import { answer, trainUrl, type StandInContext } from "../context.ts";
import { isDate, parsePathMoment, parseStation, readQuery, type BadRequest } from "../query.ts";
import { boardOf, type BoardEntry } from "../railway/board.ts";
import { formatUkDate, formatUkTime } from "../railway/uk-time.ts";
import { Refusal } from "../refusals.ts";

export function createTrains(standIn: StandInContext): Hono<ServerEnv> {
  const routes = new Hono<ServerEnv>();
  const { railway } = standIn;

  function answerBoard(request: Context<ServerEnv>, path: BoardPath): Response {
    const nowMs = standIn.clock.now();
    const question = parseBoardQuestion(path, request.req.url, nowMs);
    // Only the legacy path's live board is in the specification, which has only passenger trains.
    const isSpecification = path.badRequest === 400 && path.isLive;
    const passengerOnly = question.query.passengerOnly || isSpecification;
    const lists: BoardLists = new Map(
      question.sides.map((side): [typeof side, readonly BoardEntry[]] => [
        side,
        boardOf(railway, { ...question.query, side, passengerOnly }, nowMs),
      ]),
    );
    const body = isSpecification
      ? formatSpecificationBoard(question, lists, nowMs)
      : formatPublicBoard(question, lists, nowMs, (train) => trainUrl(standIn, train));
    return answer(standIn, request, body);
  }

  /** The specification shows no fields of a timetable, so this has the public service's. */
  function answerTimetable(request: Context<ServerEnv>, station: string, date: string, time: string) {
    const nowMs = standIn.clock.now();
    const now = { date: formatUkDate(nowMs), time: formatUkTime(nowMs) };
    const aroundMs = date === "" && time === "" ? undefined : parsePathMoment(date, time, now);
    return answerBoard(request, { station, aroundMs, isLive: false, badRequest: 400 });
  }

  function answerTrain(request: Context<ServerEnv>, uid: string, date: string): Response {
    const isLive = readQuery(request.req.url, 422).flag("live", false);
    if (!isDate(date)) {
      throw new Refusal(400, "The date is not valid");
    }
    const train = railway.timetable.trainOf(uid, date);
    if (!train) {
      throw new Refusal(404, "Train service not found");
    }
    return answer(standIn, request, formatServiceTimetable(train, isLive, standIn.clock.now(), railway.seed));
  }

  routes.get("/train/station_timetables/:file{[^/]+\\.json}", (request) => {
    const station = request.req.param("file").slice(0, -".json".length);
    return answerBoard(request, { station, isLive: false, badRequest: 422 });
  });
  routes.get("/train/station/:code/live.json", (request) =>
    answerBoard(request, { station: request.req.param("code"), isLive: true, badRequest: 400 }),
  );
  // Date and time may be empty, which the router's own parameters cannot match: `/train/station/YRK///timetable.json`.
  routes.get("/train/station/*", (request, next) => {
    // The colon of `crs:YRK` is the only character of a path that clients may escape.
    const path = new URL(request.req.url).pathname.replaceAll(/%3a/gi, ":");
    const [, code, date = "", time = ""] =
      /\/train\/station\/([^/]+)\/([^/]*)\/([^/]*)\/timetable\.json$/.exec(path) ?? [];
    return code === undefined ? next() : Promise.resolve(answerTimetable(request, code, date, time));
  });
  routes.get("/train/service_timetables/:id{[A-Z][0-9]+:20[0-9-]+\\.json}", (request) => {
    const [uid = "", date = ""] = request.req.param("id").slice(0, -".json".length).split(":");
    return answerTrain(request, uid, date);
  });
  routes.get("/train/service/:uid{train_uid:[A-Z][0-9]+}/:date/timetable.json", (request) =>
    answerTrain(request, request.req.param("uid").slice("train_uid:".length), request.req.param("date")),
  );
  return routes;
}

/** The values of a board's path, before its query is read. */
interface BoardPath {
  /** e.g. `YRK`, `yrk`, `crs:YRK`. */
  readonly station: string;
  /** Absent: now. */
  readonly aroundMs?: number | undefined;
  /** Whether the board is live by default. */
  readonly isLive: boolean;
  readonly badRequest: BadRequest;
}

const MINUTE_MS = 60_000;
const DEFAULT_LIMIT = 50;
const MAX_ROWS = 1_000;

/** Throws a Refusal for an unknown station or an invalid value. */
function parseBoardQuestion(path: BoardPath, address: string, nowMs: number): BoardQuestion {
  const query = readQuery(address, path.badRequest);
  const station = parseStation(path.station);
  const { aroundMs, fromMs, toMs } = query.window(path.aroundMs, nowMs);
  const isLive = query.flag("live", path.isLive);
  const status = query.words("train_status");
  return {
    station,
    namedAs: path.station,
    sides: query.choices("type", ["departure", "arrival"], ["departure"]),
    isLive,
    aroundMs,
    query: {
      crs: station.crs,
      fromMs,
      toMs,
      // Only a board that begins now shows late trains from before its start.
      followsTrains: isLive && Math.abs(fromMs - nowMs) < MINUTE_MS && Math.abs(aroundMs - nowMs) < MINUTE_MS,
      callingAt: query.stations("calling_at"),
      calledAt: query.stations("called_at"),
      passengerOnly: status.length > 0 && !status.includes("freight"),
      limit: Math.min(MAX_ROWS, query.count("limit", DEFAULT_LIMIT)),
    },
  };
}
