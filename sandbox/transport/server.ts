// The stand-in as a server on this machine.
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Clock } from "../clock/clock.ts";
import { createCallWatch, type CallWatch } from "../http/call-watch.ts";
import { createApp } from "./app.ts";
import type { AnswerDialect } from "./context.ts";
import { readCredentials } from "./credentials.ts";
import type { Credentials } from "./credentials.ts";
import { createTransportFaults } from "./faults.ts";
import type { TransportFaults } from "./faults.ts";
import { inSlices } from "./gradual.ts";
import { journeyGround } from "./journey/plan.ts";
import { withoutCredentials } from "./ledger.ts";
import type { LedgerEntry } from "./ledger.ts";
import { createPlan } from "./plan.ts";
import type { Plan, PlanTerms } from "./plan.ts";
import { createTrainOrders } from "./railway/orders.ts";
import type { TrainOrders } from "./railway/orders.ts";
import { createTimetable } from "./railway/timetable.ts";
import type { Timetable } from "./railway/timetable.ts";

export interface TransportStandInOptions {
  readonly clock: Clock;
  /** The same seed and clock give the same trains, running alike. */
  readonly seed: number;
  /** Default: 1,000 an hour. */
  readonly plan?: Partial<PlanTerms>;
  readonly credentials?: Credentials;
  /** Which fields the specification's and the legacy paths answer with. Default `specification`. */
  readonly dialect?: AnswerDialect;
  /** 0 (default) takes a free one. */
  readonly port?: number;
  /** Told of requests that nobody serves. Default: a line on standard error. */
  readonly onUnknown?: (sentence: string) => void;
}

export interface TransportStandIn {
  /** e.g. `http://127.0.0.1:4000`, without `/v3/uk`. */
  readonly baseUrl: string;
  readonly appId: string;
  readonly appKey: string;
  readonly faults: TransportFaults;
  /** Every call, in the order of receipt. */
  readonly ledger: readonly LedgerEntry[];
  readonly calls: CallWatch;
  readonly plan: Plan;
  /** May be changed while it runs. */
  dialect: AnswerDialect;
  /** The trains behind the answers, as they run under the signaller's orders. */
  readonly timetable: Timetable;
  /** The signaller: what becomes of single trains. */
  readonly trains: TrainOrders;
  /** Makes beforehand, little by little, what the first journey would wait for. */
  prepare(): Promise<void>;
  close(): Promise<void>;
}

/** Real milliseconds between two slices: a page that is being opened meanwhile comes first. */
const PREPARE_REST_MS = 12;
const DEFAULT_CREDENTIALS: Credentials = { appId: "sandbox-app", appKey: "sandbox-app-key-0123456789abcdef" };

type OpenEntry = { -readonly [Key in keyof LedgerEntry]: LedgerEntry[Key] };

/** Starts listening on 127.0.0.1. */
export async function startTransportStandIn(options: TransportStandInOptions): Promise<TransportStandIn> {
  const { clock, seed } = options;
  const credentials = options.credentials ?? DEFAULT_CREDENTIALS;
  const plan = createPlan(clock, seed, options.plan);
  const calls = createCallWatch();
  const entries = new WeakMap<IncomingMessage, OpenEntry>();
  const faults = createTransportFaults(credentials, (request, kind) => {
    const entry = entries.get(request);
    if (entry) {
      entry.fault = kind;
    }
  });
  const { orders, timetable } = createTrainOrders(createTimetable(seed), { seed, clock });
  const ledger: LedgerEntry[] = [];
  const allowed = new WeakMap<IncomingMessage, boolean>();
  let dialect = options.dialect ?? "specification";
  let baseUrl = "";

  const app = createApp({
    clock,
    credentials,
    railway: { timetable, seed },
    dialect: () => dialect,
    baseUrl: () => baseUrl,
    twistOf: (request) => faults.twistOf(request),
    isAllowed: (request) => allowed.get(request) ?? false,
    onUnknown: options.onUnknown ?? ((sentence) => console.error(sentence)),
  });
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const faulty = faults.wrap((request, response) => void answer(request, response));

  const server = createServer((request, response) => {
    // A request line such as `GET //` is no URL; the router refuses it in its own way.
    const url = URL.parse(request.url ?? "/", "http://127.0.0.1") ?? new URL("http://127.0.0.1/");
    // A hit counts on receipt, whatever becomes of it; whose it is, the application's name decides.
    const given = readCredentials(url.searchParams, (name) => headerOf(request, name));
    const weight = url.pathname.startsWith("/v3/uk/") && given.appId === credentials.appId ? 1 : 0;
    allowed.set(request, weight === 0 || plan.take(weight));
    const entry: OpenEntry = {
      at: clock.now(),
      method: request.method ?? "GET",
      path: withoutCredentials(url),
      status: undefined,
      tookMs: undefined,
      fault: undefined,
      weight,
      caller: given.appId,
    };
    entries.set(request, entry);
    ledger.push(entry);
    calls.begin(response, (end) => Object.assign(entry, end));
    faulty(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new Error("The transport stand-in listens on no port");
  }
  baseUrl = `http://127.0.0.1:${address.port}`;

  return {
    baseUrl,
    appId: credentials.appId,
    appKey: credentials.appKey,
    faults,
    ledger,
    calls,
    plan,
    timetable,
    trains: orders,
    get dialect() {
      return dialect;
    },
    set dialect(changed) {
      dialect = changed;
    },
    prepare: () => inSlices(journeyGround(clock.now(), seed), PREPARE_REST_MS),
    async close() {
      faults.clear();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
