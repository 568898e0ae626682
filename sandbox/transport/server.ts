import type { IncomingMessage } from "node:http";
import { type Call, type StandInOptions, startStandIn } from "../http/stand-in.ts";
import { createTransportFaults, type TransportFaults } from "./faults.ts";
import { createPlan, type PlanTerms } from "./plan.ts";
import {
  checkCredentials,
  type Credentials,
  readCredentials,
  Refusal,
  usedUpText,
  withoutCredentials,
} from "./refusals.ts";
import { createTrainOrders } from "./railway/orders.ts";
import { createTimetable } from "./railway/timetable.ts";
import { Hono } from "hono";
import type { ServerEnv } from "../faults/faults.ts";
import { compress } from "hono/compress";
import type { StandInContext } from "./context.ts";
import { createBusStops } from "./routes/bus-stops.ts";
import { createJourneys } from "./routes/journeys.ts";
import { createNetwork } from "./routes/network.ts";
import { createPlaces } from "./routes/places.ts";
import { createTrains } from "./routes/trains.ts";

export interface TransportStandInOptions extends StandInOptions {
  /** The same seed and clock give the same trains with the same delays. */
  readonly seed: number;
  /** Default: 1,000 hits an hour. */
  readonly plan?: Partial<PlanTerms>;
  readonly credentials?: Credentials;
}

/** A call to the stand-in, for tests and for the sandbox's page. */
export interface LedgerEntry extends Call {
  /** How many of the plan's hits the call cost. */
  readonly weight: number;
  /** The application id that the caller gave; empty if none. */
  readonly caller: string;
}

export type TransportStandIn = Awaited<ReturnType<typeof startTransportStandIn>>;

const DEFAULT_CREDENTIALS: Credentials = { appId: "sandbox-app", appKey: "sandbox-app-key-0123456789abcdef" };

/** Starts listening on 127.0.0.1. `baseUrl` does not include `/v3/uk`. */
export async function startTransportStandIn(options: TransportStandInOptions) {
  const { clock, seed, credentials = DEFAULT_CREDENTIALS } = options;
  const plan = createPlan(clock, seed, options.plan);
  const { orders, timetable } = createTrainOrders(createTimetable(seed), { seed, clock });
  const arrivals = new WeakMap<IncomingMessage, Arrival>();

  const standIn = await startStandIn<LedgerEntry, TransportFaults>(options, {
    name: "transport",
    createFaults: (hooks) => createTransportFaults(credentials, hooks),
    createApp: (server) =>
      createApp(
        {
          clock,
          credentials,
          railway: { timetable, seed },
          baseUrl: server.baseUrl,
          alterationOf: (request) => server.faults.alterationOf(request),
        },
        arrivals,
        server.onUnknown,
      ),
    receive(request) {
      // A request line such as `GET //` is not a valid URL. The router refuses it.
      const url = URL.parse(request.url ?? "/", "http://127.0.0.1") ?? new URL("http://127.0.0.1/");
      // A hit counts on receipt, whatever its answer, if it has the account's application id.
      const given = readCredentials(url.searchParams, request.headers);
      const weight = url.pathname.startsWith("/v3/uk/") && given.appId === credentials.appId ? 1 : 0;
      arrivals.set(request, { given, isAllowed: weight === 0 || plan.take(weight) });
      return { path: withoutCredentials(url), weight, caller: given.appId };
    },
  });

  return {
    ...standIn,
    appId: credentials.appId,
    appKey: credentials.appKey,
    plan,
    /** The trains in all answers, as they run under the signaller's orders. */
    timetable,
    trains: orders,
  };
}

const WHAT_IT_IS = `A stand-in for the public-transport data service: it answers in that service's formats, for every
station of Great Britain, with the sandbox's credentials. Its trains are invented, so do not travel by them. Boards are
under /v3/uk/train/station_timetables/crs:YRK.json?live=true, journeys under
/v3/uk/public_journey.json?from=crs:YRK&to=postcode:SW1A+1AA, places under /v3/uk/places.json?query=waterloo, buses under
/v3/uk/bus/stop/32902604A/live.json, and the network's status under /v3/uk/status.json.
`;

/** A request's credentials, and whether the plan allows it; both are decided on receipt. */
interface Arrival {
  readonly given: Credentials;
  readonly isAllowed: boolean;
}

/** Checks credentials before the routes. Calls `onUnknown` for requests to paths that the stand-in does not serve. */
function createApp(
  standIn: StandInContext,
  arrivals: WeakMap<IncomingMessage, Arrival>,
  onUnknown: (sentence: string) => void,
): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>({ strict: true });

  app.use(compress({ encoding: "gzip" }));

  app.get("/", (request) => request.text(WHAT_IT_IS));

  app.use("/v3/uk/*", async (request, next) => {
    const { given = { appId: "", appKey: "" }, isAllowed = false } = arrivals.get(request.env.incoming) ?? {};
    checkCredentials(given, standIn.credentials);
    if (!isAllowed) {
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
    onUnknown(sentence);
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
