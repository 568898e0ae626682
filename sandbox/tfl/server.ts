// The server of Transport for London's stand-in. Its buses are those of the transport service's stand-in.
import { type Call, type StandInOptions, startStandIn } from "../http/stand-in.ts";
import { withoutCredentials } from "../transport/refusals.ts";
import { apiError, createTflFaults, type TflFaults, tooMany, WRONG_KEY } from "./faults.ts";
import { createLines, type Lines } from "./line-status.ts";
import { Hono } from "hono";
import { compress } from "hono/compress";
import type { Clock } from "../clock/clock.ts";
import type { ServerEnv } from "../faults/faults.ts";
import { toResponse } from "../faults/inject.ts";
import { pageAnswer } from "../faults/service-faults.ts";
import { isAnonymousAgent } from "../http/anonymous-agent.ts";
import { localNetwork } from "../transport/map/local-lines.ts";
import { busPredictionsAt, predictionsAt } from "./predictions.ts";
import { LINES, longName, STOPS, type TflLine } from "./stops.ts";

export type TflStandIn = Awaited<ReturnType<typeof startTflStandIn>>;

const APP_KEY = "sandbox-tfl-key-0123456789abcdef";

/** Starts listening on 127.0.0.1. The same seed and clock give the same trains and troubles. */
export async function startTflStandIn(options: StandInOptions & { readonly seed: number }) {
  const lines = createLines(options.seed);
  const standIn = await startStandIn<Call, TflFaults>(options, {
    name: "tfl",
    createFaults: createTflFaults,
    createApp: (server) => createApp(options, lines, server.onUnknown),
    receive: (request) => ({
      path: withoutCredentials(
        URL.parse(request.url ?? "/", "http://127.0.0.1") ?? new URL("http://127.0.0.1/"),
      ),
    }),
  });
  return {
    ...standIn,
    lines,
    env: { TFL: "on", TFL_API_BASE_URL: standIn.baseUrl, TFL_APP_KEY: APP_KEY },
  };
}

const WHAT_IT_IS = `A stand-in for London's live arrivals and line status: it answers in the formats of TfL's Unified API,
and is not TfL's. Its trains, buses and disruptions are invented, so do not travel by them. Arrivals are under
/StopPoint/940GZZLUOXC/Arrivals, the lines under /Line/Mode/tube,dlr/Status.
`;

const MINUTE_MS = 60_000;
const CALLS_A_MINUTE = { withKey: 500, without: 50 };

function createApp(
  { clock, seed }: { readonly clock: Clock; readonly seed: number },
  lines: Lines,
  onUnknown: (sentence: string) => void,
): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  let calls: readonly number[] = [];

  app.use(compress({ encoding: "gzip" }));
  app.get("/", (request) => request.text(WHAT_IT_IS));
  app.use(async (request, next) => {
    if (isAnonymousAgent(request.req.header("user-agent"))) {
      return toResponse(pageAnswer(403, "Attention Required! | Cloudflare"));
    }
    const given = request.req.header("app_key") ?? request.req.query("app_key");
    if (given !== undefined && given !== APP_KEY) {
      return toResponse(WRONG_KEY);
    }
    const now = clock.now();
    calls = calls.filter((at) => at > now - MINUTE_MS && at <= now);
    if (calls.length >= (given === undefined ? CALLS_A_MINUTE.without : CALLS_A_MINUTE.withKey)) {
      return toResponse(
        tooMany(String(Math.max(1, Math.ceil(((calls[0] ?? now) + MINUTE_MS - now) / 1000)))),
      );
    }
    calls = [...calls, now];
    return next();
  });

  app.get("/StopPoint/:id/Arrivals", (request) => {
    const id = request.req.param("id");
    const stop = STOPS.get(id);
    request.header("cache-control", "public, max-age=30, s-maxage=60");
    if (stop) {
      const runs = (line: TflLine) => lines.runs(line, clock.now());
      return request.json(predictionsAt(stop, clock.now(), seed, runs));
    }
    // Interchanges and pairs of bus stops exist, but never have arrivals.
    if (/^(?:HUB[0-9A-Z]{3}|490G\d+)$/.test(id)) {
      return request.json([]);
    }
    const buses = /^490\d+[A-Z]+$/.test(id) ? localNetwork().stops.get(id) : undefined;
    return buses
      ? request.json(busPredictionsAt(buses, clock.now(), seed))
      : request.json(notFound(id, request.req.url), 404);
  });

  app.get("/Line/Mode/:modes/Status", (request) => {
    request.header("cache-control", "public, max-age=30, s-maxage=60");
    return request.json(lines.statusOf(linesOf(request.req.param("modes")), clock.now()));
  });
  app.get("/Line/Mode/:modes", (request) =>
    request.json(
      linesOf(request.req.param("modes")).map(({ id, name, mode }) => ({
        id,
        name,
        modeName: mode,
      })),
    ),
  );
  app.get("/Line/:id/StopPoints", (request) => {
    const line = request.req.param("id");
    const stops = [...STOPS.values()].filter((stop) => stop.lines.some(({ id }) => id === line));
    return request.json(
      stops.map((stop) => ({ naptanId: stop.id, commonName: longName(stop), modes: [], lines: [] })),
    );
  });

  app.notFound((request) => {
    const { pathname } = new URL(request.req.url);
    onUnknown(`The London stand-in does not serve ${request.req.method} ${pathname}`);
    return request.json({ message: `No HTTP resource was found that matches ${pathname}.` }, 404);
  });
  return app;
}

function linesOf(modes: string): readonly TflLine[] {
  const wanted = modes.split(",");
  return LINES.filter(({ mode }) => wanted.includes(mode));
}

function notFound(id: string, url: string) {
  const { pathname, search } = new URL(url);
  return apiError(404, `The following stop point is not recognised: ${id}`, pathname + search);
}
