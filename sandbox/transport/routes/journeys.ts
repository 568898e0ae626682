// The routes for journeys: the specification's, which is also the legacy one, and the current one.
import { Hono, type Context } from "hono";
import type { ServerEnv } from "../../faults/faults.ts";
import { answer, trainUrl, type StandInContext } from "../context.ts";
import { formatPublicJourneys, formatSpecificationJourneys } from "../journey/answers.ts";
import { isInGreatBritain, metresBetween, type Position } from "../map/position.ts";
import { locatePostcode } from "../map/postcodes.ts";
import { localNetwork } from "../map/local-lines.ts";
import { parsePathMoment, readQuery, type BadRequest, type Query } from "../query.ts";
import { stationByCrs } from "../railway/stations.ts";
import { addDays, formatUkDate, formatUkTime, ukMoment } from "../railway/uk-time.ts";
import { stationWaypoint, stopWaypoint, type Waypoint } from "../journey/leg.ts";
import { planJourneys, type JourneyQuestion } from "../journey/plan.ts";

export function createJourneys(standIn: StandInContext): Hono<ServerEnv> {
  const routes = new Hono<ServerEnv>();

  function answerJourneys(request: Context<ServerEnv>, path: JourneyPath): Response {
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
    return answerJourneys(request, { from, to, date, time, isArrival: false, badRequest: 422 });
  });

  // Places contain colons, commas and escaped characters, which the router's own parameters cannot match.
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
      // The legacy path contains date and time; the specification's has them in the query.
      date: date ?? request.req.query("date") ?? "",
      time: time ?? request.req.query("time") ?? "",
      isArrival: how === "by",
      badRequest: 400,
    } as const;
    return Promise.resolve(answerJourneys(request, read));
  });
  return routes;
}

/** Decodes a part of a path, in which `+` also means a space. Invalid escapes stay unchanged. */
function decode(part: string): string {
  return new URLSearchParams(`part=${part.replaceAll("&", "%26")}`).get("part") ?? "";
}

/** The values of a journey's path, before the rest of the query is read. Missing values are empty. */
interface JourneyPath {
  readonly from: string;
  readonly to: string;
  readonly date: string;
  readonly time: string;
  readonly isArrival: boolean;
  readonly badRequest: BadRequest;
}

/** Two ends that are closer than this are the same place. */
const SAME_METRES = 30;

function parseJourneyQuestion(path: JourneyPath, query: Query, nowMs: number): JourneyQuestion {
  if (path.from === "" || path.to === "") {
    throw query.refuse("from and to are required");
  }
  const from = parseWaypoint(path.from, "Journey Origin", query.refuse);
  const to = parseWaypoint(path.to, "Journey Destination", query.refuse);
  if (metresBetween(from, to) < SAME_METRES) {
    throw query.refuse("from and to are the same place");
  }
  // The value for an arrival is undocumented, so none is accepted.
  query.choice("journey_time_type", "leave_after", ["leave_after"]);
  return { from, to, atMs: parseMoment(path, nowMs), isArrival: path.isArrival };
}

/** A time without a date is today, or tomorrow if it was more than half a day ago. */
function parseMoment({ date, time, badRequest }: JourneyPath, nowMs: number): number {
  if (date === "" && time === "") {
    // The current minute's train has already left.
    return Math.ceil(nowMs / 60_000) * 60_000;
  }
  const now = { date: formatUkDate(nowMs), time: formatUkTime(nowMs) };
  const atMs = parsePathMoment(date, time, now, badRequest);
  return date === "" && nowMs - atMs > 12 * 3_600_000
    ? ukMoment(addDays(now.date, 1), Math.round((atMs - ukMoment(now.date, 0)) / 60_000))
    : atMs;
}

/** Parses `crs:YRK`, `lonlat:-1.08,53.95`, `postcode:YO24+1AB` or `atcocode:…`. Throws an error from `refuse`. */
function parseWaypoint(text: string, pointName: string, refuse: (sentence: string) => Error): Waypoint {
  const [, scheme = "", value = ""] = /^(?:([a-z]+):)?(.*)$/is.exec(text.trim()) ?? [];
  switch (scheme.toLowerCase()) {
    case "crs": {
      const station = stationByCrs(value.toUpperCase());
      if (!station) {
        throw refuse(`No station has the code ${value}`);
      }
      return stationWaypoint(station);
    }
    case "lonlat":
      return { name: pointName, place: undefined, ...parseLonLat(value, refuse) };
    case "postcode": {
      const position = locatePostcode(value);
      if (!position) {
        throw refuse(`The postcode ${value} was not found`);
      }
      return { name: pointName, place: undefined, ...position };
    }
    case "atcocode": {
      const stop = localNetwork().stops.get(value.toUpperCase());
      if (!stop) {
        throw refuse(`No stop has the ATCO code ${value}`);
      }
      return stopWaypoint(stop);
    }
    default:
      throw refuse(`The place ${text} was not understood`);
  }
}

function parseLonLat(value: string, refuse: (sentence: string) => Error): Position {
  const [, longitude, latitude] = /^(-?\d{1,3}(?:\.\d+)?),(-?\d{1,2}(?:\.\d+)?)$/.exec(value) ?? [];
  if (longitude === undefined || latitude === undefined) {
    throw refuse(`The position ${value} was not understood`);
  }
  const position = { latitude: Number(latitude), longitude: Number(longitude) };
  if (!isInGreatBritain(position)) {
    throw refuse(`The position ${value} is outside Great Britain`);
  }
  return position;
}
