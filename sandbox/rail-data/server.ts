// The rail data stand-in's server. It shows the trains of the transport service's stand-in.
import { type Call, type StandInOptions, startStandIn } from "../http/stand-in.ts";
import { boardOf, type Railway } from "../transport/railway/board.ts";
import { createRailDataFaults, fault, type RailDataFaults, UNABLE } from "./faults.ts";
import { createOperators, type Operators } from "./operators.ts";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { z } from "zod";
import type { Clock } from "../clock/clock.ts";
import type { ServerEnv } from "../faults/faults.ts";
import { toResponse } from "../faults/inject.ts";
import { pageAnswer } from "../faults/service-faults.ts";
import { isAnonymousAgent } from "../http/anonymous-agent.ts";
import type { CallSide } from "../transport/railway/running.ts";
import { stationByCrs } from "../transport/railway/stations.ts";
import { addDays, formatUkDate } from "../transport/railway/uk-time.ts";
import { trainStatus } from "../transport/status/train-status.ts";
import { type AnswerContext, formatBoard, formatDetails, parseServiceId } from "./answers.ts";

/** The products of the Rail Data Marketplace that the stand-in serves. Each has its own address and its own key. */
const PRODUCTS = {
  departures: {
    path: "/1010-live-departure-board-dep1_2/LDBWS/api/20220120",
    operation: "GetDepartureBoard",
    key: "sandbox-departures-key-0123456789abcdef",
  },
  arrivals: {
    path: "/1010-live-arrival-board-arr/LDBWS/api/20220120",
    operation: "GetArrivalBoard",
    key: "sandbox-arrivals-key-0123456789abcdef",
  },
  service: {
    path: "/1010-service-details1_2/LDBWS/api/20220120",
    operation: "GetServiceDetails",
    key: "sandbox-service-key-0123456789abcdef",
  },
  disruptions: {
    path: "/1010-disruptions-experience-api-11_0",
    operation: "tocs",
    key: "sandbox-disruptions-key-0123456789abcdef",
  },
} as const;

export type RailDataStandIn = Awaited<ReturnType<typeof startRailDataStandIn>>;

/** Starts listening on 127.0.0.1. `railway` is the transport stand-in's, so that both services' answers agree. */
export async function startRailDataStandIn(options: StandInOptions & { readonly railway: Railway }) {
  const operators = createOperators();
  const standIn = await startStandIn<Call, RailDataFaults>(options, {
    name: "rail-data",
    createFaults: createRailDataFaults,
    createApp: (server) => createApp(options, operators, server.onUnknown),
    receive: (request) => ({ path: request.url ?? "/" }),
  });
  const env = Object.fromEntries(
    Object.entries(PRODUCTS).flatMap(([name, { path, key }]) => [
      [`RAIL_DATA_${name.toUpperCase()}_URL`, standIn.baseUrl + path],
      [`RAIL_DATA_${name.toUpperCase()}_KEY`, key],
    ]),
  );
  return {
    ...standIn,
    operators,
    env,
  };
}

const WHAT_IT_IS = `A stand-in for the railway's live boards: it answers in the formats of the Rail Data Marketplace, for
every station of Great Britain. Its trains are invented, so do not travel by them.
`;

const MINUTE_MS = 60_000;

function createApp(
  { clock, railway }: { readonly clock: Clock; readonly railway: Railway },
  operators: Operators,
  onUnknown: (sentence: string) => void,
): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();

  app.use(compress({ encoding: "gzip" }));
  app.get("/", (request) => request.text(WHAT_IT_IS));
  app.use(async (request, next) =>
    isAnonymousAgent(request.req.header("user-agent"))
      ? toResponse(pageAnswer(403, "Access Denied"))
      : next(),
  );
  for (const { path, key, operation } of Object.values(PRODUCTS)) {
    app.use(`${path}/*`, async (request, next) => {
      const given = request.req.header("x-apikey");
      if (given === key) {
        return next();
      }
      const refusal =
        given === undefined
          ? fault("Failed to resolve API Key variable", "steps.oauth.v2.FailedToResolveAPIKey")
          : fault("Invalid ApiKey", "oauth.v2.InvalidApiKey");
      return request.json(refusal, 401);
    });
    app.get(`${path}/:operation/:what`, (request) => {
      const { operation: asked, what } = request.req.param();
      const { searchParams } = new URL(request.req.url);
      const context = { railway, nowMs: clock.now() };
      // The documentation lists every operation for every product, but a product offers only its own.
      if (asked !== operation) {
        return request.json(UNABLE, 500);
      }
      if (operation === "tocs") {
        return request.json(operators.indicators(trainStatus(railway, context.nowMs)));
      }
      if (operation === "GetServiceDetails") {
        const details = answerDetails(what, context);
        return details === undefined ? request.json(UNABLE, 500) : request.json(details);
      }
      const side = operation === "GetDepartureBoard" ? "departure" : "arrival";
      const board = answerBoard(side, what, searchParams, context);
      return board === undefined ? request.json(UNABLE, 400) : request.json(board);
    });
  }
  app.notFound((request) => {
    const sentence = `The rail data stand-in does not serve ${request.req.method} ${request.req.path}`;
    onUnknown(sentence);
    return request.json({ error: sentence }, 404);
  });
  return app;
}

const wholeNumber = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

const boardQuery = z.object({
  filterCrs: z.string().optional(),
  filterType: z.enum(["to", "from"]).default("to"),
  numRows: wholeNumber(1, 149).default(10),
  timeOffset: wholeNumber(-119, 119).default(0),
  timeWindow: wholeNumber(-120, 120).default(120),
});

/** `undefined` if the service would refuse the query. */
function answerBoard(side: CallSide, crs: string, query: URLSearchParams, context: AnswerContext) {
  const station = stationByCrs(crs);
  const asked = boardQuery.safeParse(Object.fromEntries(query)).data;
  const filterStation = stationByCrs(asked?.filterCrs ?? "");
  if (!station || !asked || (asked.filterCrs !== undefined && !filterStation)) {
    return undefined;
  }
  const { filterType: type, numRows: rows, timeOffset: offset, timeWindow: window } = asked;
  const startMs = Math.floor(context.nowMs / MINUTE_MS) * MINUTE_MS + offset * MINUTE_MS;
  const entries = boardOf(
    context.railway,
    {
      side,
      fromMs: startMs,
      toMs: startMs + window * MINUTE_MS,
      followsTrains: offset <= 0,
      limit: rows,
      crs: station.crs,
      callingAt: type === "to" && filterStation ? [filterStation.crs] : [],
      calledAt: type === "from" && filterStation ? [filterStation.crs] : [],
      passengerOnly: true,
    },
    context.nowMs,
  );
  return formatBoard(station, side, entries, filterStation && { station: filterStation, type }, context);
}

/** The id has no date. The train may run every day, and may have started yesterday, so the nearest in time is chosen. */
function answerDetails(id: string, context: AnswerContext) {
  const asked = parseServiceId(id);
  const today = formatUkDate(context.nowMs);
  const [nearest] = [-1, 0, 1]
    .flatMap((days) => {
      const train = asked && context.railway.timetable.trainOf(asked.uid, addDays(today, days));
      const at = train?.calls.findIndex(({ station }) => station.crs === asked?.crs) ?? -1;
      const call = train?.calls[at];
      const awayMs = Math.abs((call?.departMs ?? call?.arriveMs ?? 0) - context.nowMs);
      return train && call ? [{ train, at, awayMs }] : [];
    })
    .toSorted((a, b) => a.awayMs - b.awayMs);
  return nearest && formatDetails(nearest.train, nearest.at, context);
}
