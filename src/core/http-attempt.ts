// One attempt at a request: sends it, reads the answer within its limits, and classifies failures.
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { Agent, Dispatcher } from "undici";
import { currentTrace } from "./asker.ts";
import type { HttpAnswer, HttpBodyContent, HttpRequest, HttpStreamRequest } from "./http.ts";
import { RefusedUrlError, type ResolveAddresses, checkReturnedUrl, createPublicLookup } from "./url-guard.ts";
import { type Clock, untilAborted, watchIdle } from "./clock.ts";
import { ServiceError, type ServiceErrorKind, UserError, codeOf } from "./errors.ts";
import { collectBytes } from "./large-bytes.ts";
import { loadUndici } from "./late-libraries.ts";
import type { Log } from "./log.ts";
import type { Meter } from "./meter.ts";

export interface AttemptDependencies {
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  readonly connections: Connections;
}

/** Starts the time limit, which `touch` restarts, and the entries in log and meter. `signal` is the caller's. */
export function beginAttempt(
  { clock, log, meter }: AttemptDependencies,
  request: Pick<HttpRequest, "service" | "verb" | "method"> &
    (Pick<HttpRequest, "timeoutMs"> | Pick<HttpStreamRequest, "idleMs">),
  signal: AbortSignal,
) {
  const { service, verb } = request;
  const trace = currentTrace();
  if (trace) {
    trace.calls += 1;
  }
  const startedAtMs = clock.elapsed();
  const progress: AttemptProgress = { sent: false, status: undefined };
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const [limitMs, late] =
    "idleMs" in request
      ? [request.idleMs, `nothing moved for ${request.idleMs} ms`]
      : [request.timeoutMs, `no answer within ${request.timeoutMs} ms`];
  const idle = watchIdle(clock, limitMs, () => stop.abort(new AttemptFailure("timeout", late)));
  let failedAs: string | undefined;
  const elapsedMs = (): number => clock.elapsed() - startedAtMs;
  return {
    progress,
    /** Aborts when the caller's signal does, and when the time limit has passed. */
    signal: stop.signal,
    touch: idle.touch,
    waitOnlyWhile: idle.onlyWhile,
    logAnswer(message: string): void {
      log.debug({ service, verb, status: progress.status, milliseconds: elapsedMs() }, message);
    },
    /** Turns an error into a ServiceError, and logs it. */
    explain(error: unknown, isAborted: boolean): Error {
      const failure = explainFailure(error, request, progress, isAborted);
      failedAs = failure instanceof ServiceError ? failure.kind : "bug";
      const { status } = progress;
      log[failedAs === "aborted" ? "debug" : "warn"](
        { service, verb, kind: failedAs, reason: failure.message, status, milliseconds: elapsedMs() },
        "request failed",
      );
      return failure;
    },
    end(): void {
      meter.count("service_requests_total", { service, verb, outcome: failedAs ?? String(progress.status) });
      meter.time("service_request_duration_seconds", { service }, elapsedMs());
      signal.removeEventListener("abort", onAbort);
      idle.stop();
    },
  };
}

/** Sends a request once. Every status is an answer. Throws the ServiceErrors that `Http.request` documents. */
export async function sendRequest(
  dependencies: AttemptDependencies,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const attempt = beginAttempt(dependencies, request, signal);
  try {
    signal.throwIfAborted();
    const pool = chooseDispatcher(dependencies.connections, request);
    const dispatcher = pool.compose(trackStart(attempt.progress));
    const exchanging = exchange(request, request.body?.(), { ...attempt, dispatcher });
    // undici ignores the signal until it is connected.
    const answer = await untilAborted(exchanging, attempt.signal);
    attempt.logAnswer("service answered");
    return answer;
  } catch (error) {
    throw attempt.explain(error, signal.aborted);
  } finally {
    attempt.end();
  }
}

/** Returns the pool for a request. Throws RefusedUrlError for a guarded URL that must not be fetched. */
export function chooseDispatcher(
  connections: Connections,
  { url, guard }: Pick<HttpRequest, "url" | "guard">,
): Dispatcher {
  return guard && checkReturnedUrl(url, guard.ownOrigin) === "public"
    ? connections.guarded
    : connections.open;
}

export async function exchange(
  { url, method, headers, maxBytes }: Pick<HttpRequest, "url" | "method" | "headers" | "maxBytes">,
  body: HttpBodyContent | undefined,
  transport: {
    readonly dispatcher: Dispatcher;
    readonly progress: AttemptProgress;
    readonly signal: AbortSignal;
    readonly onHead?: () => void;
  },
): Promise<HttpAnswer> {
  const { dispatcher, progress, signal, onHead } = transport;
  try {
    const response = await loadUndici().request(url, {
      method,
      headers: { ...headers, ...body?.headers, "accept-encoding": "gzip" },
      body: body?.content ?? null,
      dispatcher,
      signal,
    });
    onHead?.();
    progress.status = response.statusCode;
    const flat = flattenHeaders(response.headers);
    const bytes = await readLimitedBody(response.body, flat["content-encoding"], maxBytes);
    return { status: response.statusCode, headers: flat, bytes };
  } finally {
    if (body?.content instanceof Readable) {
      discard(body.content);
    }
  }
}

/** Discards a body that nobody reads, which frees its connection. */
export function discard(body: Readable): void {
  body.on("error", () => {}).destroy();
}

/** Records when undici starts the request: before that, it has no connection, and nothing can have arrived. */
function trackStart(progress: AttemptProgress): Dispatcher.DispatcherComposeInterceptor {
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

/** Joins the values of headers that occur more than once. */
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

type Connections = ReturnType<typeof createConnections>;

/** In real time. The attempt's own limit fails the request, but without this one the socket would keep trying. */
const CONNECT_TIMEOUT_MS = 10_000;

export function createConnections(resolve?: ResolveAddresses) {
  let open: Agent | undefined;
  let guarded: Agent | undefined;
  return {
    /** For the services' own addresses. */
    get open(): Agent {
      open ??= createAgent();
      return open;
    },
    /** Connects only to public addresses. IP addresses need no DNS lookup: `checkReturnedUrl` checks those. */
    get guarded(): Agent {
      guarded ??= createAgent(createPublicLookup(resolve));
      return guarded;
    },
    async close(): Promise<void> {
      await Promise.all([open?.destroy(), guarded?.destroy()]);
    },
  };
}

function createAgent(lookup?: ReturnType<typeof createPublicLookup>): Agent {
  const connect = { timeout: CONNECT_TIMEOUT_MS, ...(lookup && { lookup }) };
  return new (loadUndici().Agent)({ ...SETTINGS, connect });
}

// The attempt has its own time limits, on the clock. HTTP/1.1 only: undici 8 would offer HTTP/2, whose refused streams
// and shared connections make it harder to know whether a request was sent.
const SETTINGS = { headersTimeout: 0, bodyTimeout: 0, allowH2: false } as const;

interface AttemptProgress {
  /** Whether a part of the request may have left the machine. */
  sent: boolean;
  /** The answer's status; `undefined` until its head has arrived. */
  status: number | undefined;
}

/** The reason why the bot itself ends an attempt. */
export class AttemptFailure extends Error {
  override readonly name = "AttemptFailure";
  readonly kind: ServiceErrorKind;

  constructor(kind: ServiceErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** The answer exceeds its limit, on the wire or after decompression. */
export function tooLarge(maxBytes: number): AttemptFailure {
  return new AttemptFailure("too-large", `the answer passes ${maxBytes} bytes`);
}

/**
 * Turns an attempt's error into a ServiceError. Two kinds of error are returned unchanged: the bot's own errors from
 * the body that is being sent (it was cut short, so the service cannot have accepted it), and undici's rejection of a
 * malformed call, which is a bug.
 */
function explainFailure(
  error: unknown,
  request: Pick<HttpRequest, "service" | "verb" | "method">,
  progress: AttemptProgress,
  aborted: boolean,
): Error {
  if (aborted) {
    return failure("aborted", "given up");
  }
  if (error instanceof ServiceError || error instanceof UserError || isMisuse(error)) {
    return error;
  }
  const [kind, message] = describeError(error);
  const plain = failure(kind, message);
  return request.method !== "GET" && progress.sent
    ? failure("outcome-unknown", `sent, but its answer was lost: ${kind}: ${message}`, plain)
    : plain;

  function failure(failureKind: ServiceErrorKind, text: string, cause = error): ServiceError {
    const details = { status: progress.status, cause };
    return new ServiceError(request.service, failureKind, `${request.verb}: ${text}`, details);
  }
}

function describeError(error: unknown): [ServiceErrorKind, string] {
  if (error instanceof AttemptFailure) {
    return [error.kind, error.message];
  }
  if (error instanceof RefusedUrlError) {
    return ["unexpected-answer", error.message];
  }
  const code = codeOf(error);
  return code === "UND_ERR_CONNECT_TIMEOUT"
    ? ["timeout", "no connection in time"]
    : ["unavailable", code ?? "the connection failed"];
}

function isMisuse(error: unknown): error is Error {
  return MISUSES.has(codeOf(error));
}

const MISUSES: ReadonlySet<unknown> = new Set(["UND_ERR_INVALID_ARG", "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH"]);

/**
 * Reads and decompresses a whole body. `maxBytes` applies before and after that, because ten kilobytes of gzip can
 * contain ten megabytes of zeros. Throws {@link AttemptFailure}, or the stream's error.
 */
async function readLimitedBody(
  body: Readable,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  const limited = limitBytes(maxBytes);
  const coding = (encoding ?? "").trim().toLowerCase();
  if (coding === "" || coding === "identity") {
    return collectBytes(limited(body), maxBytes);
  }
  if (coding !== "gzip") {
    // Without a reader, the body and its connection would wait for ever.
    discard(body);
    throw new AttemptFailure("unexpected-answer", "the content coding is not gzip");
  }
  try {
    return await pipeline(body, limited, createGunzip(), limited, (chunks) => collectBytes(chunks, maxBytes));
  } catch (error) {
    // zlib's codes, e.g. Z_DATA_ERROR, or Z_BUF_ERROR if the data ends too early.
    throw codeOf(error)?.startsWith("Z_")
      ? new AttemptFailure("unexpected-answer", "the gzip is broken", { cause: error })
      : error;
  }
}

function limitBytes(maxBytes: number) {
  return async function* limited(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let totalBytes = 0;
    for await (const chunk of source) {
      totalBytes += chunk.byteLength;
      if (totalBytes > maxBytes) {
        throw tooLarge(maxBytes);
      }
      yield chunk;
    }
  };
}
