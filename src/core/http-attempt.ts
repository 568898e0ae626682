// One attempt at a request: sends it, reads the answer within its limits, and names what went wrong.
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { request as send } from "undici";
import type { HttpAnswer, HttpRequest } from "./http-types.ts";
import { readLimitedBody } from "./http-body-limit.ts";
import type { Connections } from "./http-connections.ts";
import { type AttemptProgress, TimeoutReason, explainFailure } from "./http-failure.ts";
import { createReport, type ReportDependencies } from "./http-report.ts";
import { checkReturnedUrl } from "./url-guard.ts";

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
