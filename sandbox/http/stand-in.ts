// The common part of the services' stand-ins: a server with injected faults and a ledger of its calls.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import type { Clock } from "../clock/clock.ts";
import type { Faults, ServerEnv } from "../faults/faults.ts";
import type { FaultHooks } from "../faults/service-faults.ts";
import { createCallWatch } from "./call-watch.ts";
import { close, listen } from "./listen.ts";
import { pushBounded } from "./push-bounded.ts";

/** The fields of a ledger entry that all services have. */
export interface Call {
  /** When it was received, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly method: string;
  /** Without credentials. */
  readonly path: string;
  /** `undefined` while unanswered, and forever if the connection is dropped. */
  readonly status: number | undefined;
  /** Real milliseconds; `undefined` while unanswered. */
  readonly tookMs: number | undefined;
  readonly fault: string | undefined;
}

/** An entry that is still being written. */
export type Open<Entry> = { -readonly [Key in keyof Entry]: Entry[Key] };

export interface StandInOptions {
  readonly clock: Clock;
  /** 0 (default) takes a free one. */
  readonly port?: number;
  /**
   * Called with a sentence about each request that has no route: the caller is wrong, or the stand-in lacks the route.
   * Default: writes it to standard error.
   */
  readonly onUnknown?: (sentence: string) => void;
}

export interface ServerParts<Entry extends Call, ServiceFaults> {
  readonly faults: ServiceFaults;
  /** Known once the server listens. */
  readonly baseUrl: () => string;
  readonly entryOf: (request: IncomingMessage) => Open<Entry> | undefined;
  /** The app calls this for each request that has no route. */
  readonly onUnknown: (sentence: string) => void;
}

export interface StandInParts<Entry extends Call, ServiceFaults> {
  readonly createFaults: (hooks: FaultHooks) => ServiceFaults;
  /** The value of the header `x-signalbox-stand-in` in every answer. */
  readonly name: string;
  /** Answers the requests that no fault has answered. */
  readonly createApp: (server: ServerParts<Entry, ServiceFaults>) => Pick<Hono<ServerEnv>, "fetch">;
  /** Called on arrival, before the body is read. Returns the fields that the service adds to `Call`. */
  readonly receive: (
    request: IncomingMessage,
    response: ServerResponse,
  ) => Arrived<Entry> | Promise<Arrived<Entry>>;
}

const KEPT_CALLS = 20_000;

type Arrived<Entry extends Call> = Omit<Entry, Exclude<keyof Call, "path">>;

/** Starts listening on 127.0.0.1. */
export async function startStandIn<
  Entry extends Call,
  ServiceFaults extends Pick<Faults, "clear" | "middleware">,
>(
  { clock, port = 0, onUnknown = (sentence) => console.error(sentence) }: StandInOptions,
  parts: StandInParts<Entry, ServiceFaults>,
) {
  const ledger: Entry[] = [];
  const entries = new WeakMap<IncomingMessage, Open<Entry>>();
  const calls = createCallWatch();
  let baseUrl = "";
  const faults = parts.createFaults({
    onInjected: (request, fault) => Object.assign(entries.get(request) ?? {}, { fault }),
    pathOf: (request) => entries.get(request)?.path ?? "/",
  });
  const app = parts.createApp({
    faults,
    baseUrl: () => baseUrl,
    entryOf: (request) => entries.get(request),
    onUnknown,
  });
  const front = new Hono<ServerEnv>()
    .use(faults.middleware)
    .use(async (context, next) => {
      await next();
      context.header("x-signalbox-stand-in", parts.name);
    })
    .all("*", (context) => app.fetch(context.req.raw, context.env));
  const answer = getRequestListener(front.fetch, { overrideGlobalObjects: false });

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const arrived = await parts.receive(request, response);
    const call = { at: clock.now(), method: request.method ?? "GET" };
    const unanswered = { status: undefined, tookMs: undefined, fault: undefined };
    // Together these are all fields of an entry: those of `Call`, and those the service added.
    const entry = { ...call, ...arrived, ...unanswered } as unknown as Entry;
    entries.set(request, entry);
    pushBounded(ledger, entry, KEPT_CALLS);
    calls.begin(response, (end) => Object.assign(entry, end));
    await answer(request, response);
  }

  const server = createServer((request, response) => void receive(request, response));
  baseUrl = await listen(server, port);
  return {
    /** e.g. `http://127.0.0.1:4000`. */
    baseUrl,
    faults,
    /** The calls in order of arrival; at most the last 40,000. */
    ledger,
    calls,
    async close() {
      faults.clear();
      await close(server);
    },
  };
}
