// One attempt at a request: sends it, reads the answer within its limits, and names what went wrong.
import { Readable } from "node:stream";
import { Agent, type Dispatcher, request as send } from "undici";
import type { HttpAnswer, HttpRequest } from "./http-types.ts";
import { type AttemptProgress, TimeoutReason, explainFailure, readLimitedBody } from "./http-failure.ts";
import { type ResolveAddresses, checkReturnedUrl, createPublicLookup } from "./url-guard.ts";
import type { Clock } from "./clock.ts";
import { ServiceError } from "./errors.ts";
import type { Log } from "./log.ts";
import type { Meter } from "./meter.ts";

/** What an attempt stands on. */
export interface AttemptDependencies extends ReportDependencies {
  readonly connections: Connections;
}

/** Sends a request once. Any status is an answer; throws the ServiceErrors that `Http.request` promises. */
export async function sendRequest(
  dependencies: AttemptDependencies,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { clock, connections } = dependencies;
  const progress: AttemptProgress = { sent: false, status: undefined };
  const report = createReport(dependencies, request, progress);
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal.reason);
  const { timeoutMs } = request;
  const cancelTimeout = clock.after(timeoutMs, () =>
    stop.abort(new TimeoutReason(`no answer within ${timeoutMs} ms`)),
  );
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    signal.throwIfAborted();
    const dispatcher = chooseDispatcher(connections, request);
    const answer = await untilAborted(exchange(request, dispatcher, progress, stop.signal), stop.signal);
    report.answered("a service answered");
    return answer;
  } catch (error) {
    const failure = explainFailure(error, request, progress, signal.aborted);
    report.failed(failure);
    throw failure;
  } finally {
    report.ended();
    cancelTimeout();
    signal.removeEventListener("abort", onAbort);
  }
}

/** Which pool a request goes through. Throws RefusedUrlError for a guarded URL that may not be fetched. */
export function chooseDispatcher(
  connections: Connections,
  { url, guard }: Pick<HttpRequest, "url" | "guard">,
): Dispatcher {
  return guard && checkReturnedUrl(url, guard.ownOrigin) === "public"
    ? connections.guarded
    : connections.open;
}

async function exchange(
  request: HttpRequest,
  dispatcher: Dispatcher,
  progress: AttemptProgress,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const body = request.body?.();
  try {
    const response = await send(request.url, {
      method: request.method,
      headers: { ...request.headers, ...body?.headers, "accept-encoding": "gzip" },
      body: body?.content ?? null,
      dispatcher: dispatcher.compose(noteStart(progress)),
      signal,
    });
    progress.status = response.statusCode;
    const headers = flattenHeaders(response.headers);
    const bytes = await readLimitedBody(response.body, headers["content-encoding"], request.maxBytes);
    return { status: response.statusCode, headers, bytes };
  } finally {
    if (body?.content instanceof Readable) {
      body.content.on("error", () => {}).destroy();
    }
  }
}

/** undici starts a request only when it has a connection: before that, nothing can have reached the service. */
function noteStart(progress: AttemptProgress): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        handler.onRequestStart?.(controller, context);
        progress.sent = true;
      },
      onRequestUpgrade: (...values) => handler.onRequestUpgrade?.(...values),
      onResponseStart: (...values) => handler.onResponseStart?.(...values),
      onResponseData: (...values) => handler.onResponseData?.(...values),
      onResponseEnd: (...values) => handler.onResponseEnd?.(...values),
      onResponseError: (...values) => handler.onResponseError?.(...values),
    });
}

/** undici heeds a signal only once it is connected; whoever waits should not have to. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Headers that came more than once, in one line each. */
export function flattenHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}

// The pools of connections: one for the services we chose, one that only connects to public addresses.

/** Connections to lend out. */
interface Connections {
  /** For the services' own addresses. */
  readonly open: Dispatcher;
  /** Refuses to connect to anything but a public address. Names only: addresses never pass its look-up. */
  readonly guarded: Dispatcher;
  /** Breaks every connection. */
  close(): Promise<void>;
}

/**
 * How long a connection may take to come about, in machine time: a backstop, because the clock's own time-out
 * already fails the request, but would leave the socket trying.
 */
const CONNECT_TIMEOUT_MS = 10_000;

/** Opens both pools; connections are made when first needed. */
export function createConnections(resolve?: ResolveAddresses): Connections {
  const open = new Agent({ ...SETTINGS, connect: { timeout: CONNECT_TIMEOUT_MS } });
  const guarded = new Agent({
    ...SETTINGS,
    connect: { timeout: CONNECT_TIMEOUT_MS, lookup: createPublicLookup(resolve) },
  });
  return {
    open,
    guarded,
    async close() {
      await Promise.all([open.destroy(), guarded.destroy()]);
    },
  };
}

// Time-outs are the attempt's, on the clock. HTTP/1.1 only: undici 8 would offer HTTP/2, whose refused streams
// and shared connections make "was it sent?" harder to answer.
const SETTINGS = { headersTimeout: 0, bodyTimeout: 0, allowH2: false } as const;

// How an attempt went, for the log and for whoever counts.

/** What a report stands on. */
interface ReportDependencies {
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

/** Takes how one attempt goes; its time runs from the moment when this is made. */
export interface AttemptReport {
  /** An answer is there; `message` for the log. */
  readonly answered: (message: string) => void;
  /** It failed with this. */
  readonly failed: (failure: unknown) => void;
  /** Nothing more comes of it. */
  readonly ended: () => void;
}

/** Begins one. Of `progress` it tells what that says by then. */
export function createReport(
  { clock, log, meter }: ReportDependencies,
  { service, verb }: Pick<HttpRequest, "service" | "verb">,
  progress: AttemptProgress,
): AttemptReport {
  const startedAtMs = clock.elapsed();
  const elapsedMs = (): number => clock.elapsed() - startedAtMs;
  let failedAs: string | undefined;
  return {
    answered(message) {
      log.debug({ service, verb, status: progress.status, milliseconds: elapsedMs() }, message);
    },
    failed(failure) {
      failedAs = failure instanceof ServiceError ? failure.kind : "bug";
      const { status } = progress;
      log[failedAs === "aborted" ? "debug" : "warn"](
        { service, verb, kind: failedAs, status, milliseconds: elapsedMs() },
        "a request failed",
      );
    },
    ended() {
      meter.asked(service, verb, failedAs ?? String(progress.status), elapsedMs());
    },
  };
}
