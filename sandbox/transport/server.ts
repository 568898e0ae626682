// The stand-in as a server on this machine.
import type { IncomingMessage } from "node:http";
import { startStandIn, type Call, type StandInOptions } from "../http/stand-in.ts";
import { createApp } from "./app.ts";
import { createTransportFaults, type TransportFaults } from "./faults.ts";
import { createPlan, type PlanTerms } from "./plan.ts";
import { readCredentials, withoutCredentials, type Credentials } from "./refusals.ts";
import { createTrainOrders } from "./railway/orders.ts";
import { createTimetable } from "./railway/timetable.ts";

export interface TransportStandInOptions extends StandInOptions {
  /** The same seed and clock give the same trains, running alike. */
  readonly seed: number;
  /** Default: 1,000 an hour. */
  readonly plan?: Partial<PlanTerms>;
  readonly credentials?: Credentials;
}

/** What was asked of the stand-in, for tests and for the sandbox's page. */
export interface LedgerEntry extends Call {
  /** What it cost of the plan. */
  readonly weight: number;
  /** The application that called, by the name that it gave; empty for none. */
  readonly caller: string;
}

export type TransportStandIn = Awaited<ReturnType<typeof startTransportStandIn>>;

const DEFAULT_CREDENTIALS: Credentials = { appId: "sandbox-app", appKey: "sandbox-app-key-0123456789abcdef" };

/** Starts listening on 127.0.0.1. Its address is without `/v3/uk`. */
export async function startTransportStandIn(options: TransportStandInOptions) {
  const { clock, seed, credentials = DEFAULT_CREDENTIALS } = options;
  const plan = createPlan(clock, seed, options.plan);
  const { orders, timetable } = createTrainOrders(createTimetable(seed), { seed, clock });
  const allowed = new WeakMap<IncomingMessage, boolean>();

  const standIn = await startStandIn<LedgerEntry, TransportFaults>(options, {
    name: "transport",
    createFaults: (hooks) => createTransportFaults(credentials, hooks),
    createApp: (server) =>
      createApp({
        ...server,
        clock,
        credentials,
        railway: { timetable, seed },
        twistOf: (request) => server.faults.twistOf(request),
        isAllowed: (request) => allowed.get(request) ?? false,
      }),
    receive(request) {
      // A request line such as `GET //` is no URL; the router refuses it in its own way.
      const url = URL.parse(request.url ?? "/", "http://127.0.0.1") ?? new URL("http://127.0.0.1/");
      // A hit counts on receipt, whatever becomes of it; whose it is, the application's name decides.
      const given = readCredentials(url.searchParams, (name) => headerOf(request, name));
      const weight = url.pathname.startsWith("/v3/uk/") && given.appId === credentials.appId ? 1 : 0;
      allowed.set(request, weight === 0 || plan.take(weight));
      return { path: withoutCredentials(url), weight, caller: given.appId };
    },
  });

  return {
    ...standIn,
    appId: credentials.appId,
    appKey: credentials.appKey,
    plan,
    /** The trains behind the answers, as they run under the signaller's orders. */
    timetable,
    /** The signaller: what becomes of single trains. */
    trains: orders,
  };
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
