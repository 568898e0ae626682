// The stand-in's routes in front of which credentials are asked for, and behind which every answer is dressed.
import { Hono } from "hono";
import { compress } from "hono/compress";
import type { StandInContext, StandInEnv } from "./context.ts";
import { checkCredentials, readCredentials, Refusal, usedUpText, withoutCredentials } from "./refusals.ts";
import { createBusStops } from "./routes/bus-stops.ts";
import { createJourneys } from "./routes/journeys.ts";
import { createNetwork } from "./routes/network.ts";
import { createPlaces } from "./routes/places.ts";
import { createTrains } from "./routes/trains.ts";

const WHAT_IT_IS = `A stand-in for the public-transport data service: it answers in that service's shapes, for every
station of Great Britain, with the sandbox's credentials. Its trains are invented: do not go by them, and do not wait for
them. Boards are under /v3/uk/train/station_timetables/crs:YRK.json?live=true, journeys under
/v3/uk/public_journey.json?from=crs:YRK&to=postcode:SW1A+1AA, places under /v3/uk/places.json?query=waterloo, buses under
/v3/uk/bus/stop/32902604A/live.json, and the state of it all under /v3/uk/status.json.
`;

/** What the app needs beyond its routes' context. */
export interface AppDependencies extends StandInContext {
  /** Whether the plan allows the request that was counted on receipt. */
  readonly isAllowed: (request: StandInEnv["Bindings"]["incoming"]) => boolean;
  /** Told of every request to a path that nobody serves: a mistake of the caller, or something to build. */
  readonly onUnknown: (sentence: string) => void;
}

/** The whole app. */
export function createApp(standIn: AppDependencies): Hono<StandInEnv> {
  const app = new Hono<StandInEnv>({ strict: true });

  app.use(compress({ encoding: "gzip" }));

  app.get("/", (request) => request.text(WHAT_IT_IS));

  app.use("/v3/uk/*", async (request, next) => {
    const given = readCredentials(new URL(request.req.url).searchParams, (name) => request.req.header(name));
    checkCredentials(given, standIn.credentials);
    if (!standIn.isAllowed(request.env.incoming)) {
      throw new Refusal(403, usedUpText(given.appId, given.appKey));
    }
    await next();
  });
  for (const create of [createTrains, createJourneys, createPlaces, createBusStops, createNetwork]) {
    app.route("/v3/uk", create(standIn));
  }

  app.notFound((request) => {
    const url = new URL(request.req.url);
    const sentence = `The transport stand-in does not serve ${request.req.method} ${withoutCredentials(url)}`;
    standIn.onUnknown(sentence);
    return request.json({ error: sentence }, 404);
  });

  app.onError((error, request) => {
    if (error instanceof Refusal) {
      return request.json({ error: error.message }, error.status);
    }
    throw error;
  });
  return app;
}
