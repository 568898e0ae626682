// Sends every request to the services behind the bot, through undici (discord.js has its own client). It handles bytes,
// time limits and retries; the services' clients interpret the answers.
import type { Readable } from "node:stream";
import { createConnections, sendRequest } from "./http-attempt.ts";
import { openStream, sendStream } from "./http-stream.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import { type Meter, noMeter } from "./meter.ts";
import type { ResolveAddresses } from "./url-guard.ts";
import { ServiceError } from "./errors.ts";
import { wait } from "./retry.ts";

/** A request's body, and the headers that describe it. A stream needs a `content-length`. */
export interface HttpBodyContent {
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Uint8Array | Readable;
}

/** Opens a body. Called once for each attempt, because a stream can be read only once. */
export type HttpBody = () => HttpBodyContent;

export interface HttpRequest {
  readonly service: string;
  /** The name of the operation, for errors and logs, e.g. `liveBoard`. */
  readonly verb: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** May contain credentials in its query, so it is never logged and never part of an error. */
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: HttpBody;
  /** The time limit for one attempt, including its whole answer, on the clock. */
  readonly timeoutMs: number;
  /** The size limit of the answer, before and after decompression. */
  readonly maxBytes: number;
  /** How many more attempts a GET may make; default 2. Other methods are sent once. */
  readonly retries?: number;
  /** Called before every attempt, including the first, e.g. to count it. If it throws, nothing is sent. */
  readonly beforeAttempt?: () => Promise<void>;
  readonly signal?: AbortSignal | undefined;
  /** Set for a URL that a service returned; `url-guard.ts` decides which of those may be fetched. */
  readonly guard?: { readonly ownOrigin: string };
}

/** An answer. Header names are in lower case; `bytes` are decompressed. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

export function isSuccess({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}

/** The client for all services. Every status is an answer, even a redirect, which is not followed. */
export type Http = ReturnType<typeof createHttp>;

/** A request without a limit on its total time, because large files take as long as they take. It is never retried. */
export interface HttpStreamRequest extends Pick<
  HttpRequest,
  "service" | "verb" | "url" | "headers" | "maxBytes" | "signal" | "guard"
> {
  /** How long the transfer may stall, on the clock. Time during which a slow reader blocks it does not count. */
  readonly idleMs: number;
}

export interface HttpUpload extends HttpStreamRequest, Required<Pick<HttpRequest, "body">> {
  readonly method: "POST";
}

export interface HttpStreamAnswer extends Omit<HttpAnswer, "bytes"> {
  /** Must be read to its end or destroyed. It fails with the ServiceErrors that `Http.open` throws. */
  readonly body: Readable;
}

export function createHttp(deps: {
  readonly clock: Clock;
  readonly log: Log;
  readonly meter?: Meter;
  /** Returns 0 to 1, for the jitter of waits. Default `Math.random`. */
  readonly random?: () => number;
  /** Finds the addresses of a guarded URL's host. Default: the system's resolver. */
  readonly resolve?: ResolveAddresses;
}) {
  const { clock, log, meter = noMeter, random = Math.random, resolve } = deps;
  const connections = createConnections(resolve);
  const dependencies = { clock, log, meter, connections };
  const closing = new AbortController();
  const signalOf = ({ signal }: Pick<HttpRequest, "signal">): AbortSignal =>
    signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;

  return {
    /**
     * Sends a request and reads the whole answer. Throws a ServiceError: `unavailable`, `timeout`, `too-large`,
     * `unexpected-answer` (undecodable, or a guarded URL that must not be fetched) and `aborted`. For methods other
     * than GET also `outcome-unknown`, if the request may have been sent and its answer was lost.
     */
    request(request: HttpRequest): Promise<HttpAnswer> {
      const signal = signalOf(request);
      const attempt = async (): Promise<HttpAnswer> => {
        await request.beforeAttempt?.();
        return sendRequest(dependencies, request, signal);
      };
      return retrySafely({ clock, random }, request, signal, attempt);
    },
    /**
     * GETs something that is too large for memory; its stream is read only as fast as its reader. Call and stream fail
     * as `request` does for a GET; a compressed body is an `unexpected-answer`.
     */
    open: (request: HttpStreamRequest) => openStream(dependencies, request, signalOf(request)),
    /**
     * Sends a stream of known length, as fast as the service accepts it, and reads the whole answer. Throws the errors
     * that `request` throws for a write, but `outcome-unknown` only if everything was sent, because the service cannot
     * have accepted a part. After that, even an abort is `outcome-unknown`. If the stream fails with one of the bot's
     * own errors, that error is thrown unchanged.
     */
    upload: (request: HttpUpload) => sendStream(dependencies, request, signalOf(request)),
    /** Closes the connections; requests in progress fail as `aborted`. */
    async close(): Promise<void> {
      closing.abort();
      await connections.close();
    },
  };
}

const GET_RETRIES = 2;
/** The approximate wait before the second attempt; doubled for each further one. */
const BACKOFF_MS = 250;
/** The longest `Retry-After` for which a retry waits; if it is longer, the answer is returned. */
const MAX_RETRY_WAIT_MS = 5_000;

/** The service is too busy, or a gateway could not reach it: the same request may succeed next time. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Repeats a GET after a network failure or a transient status, but never after a timeout (the person has waited long
 * enough), an exceeded limit or an abort. Other methods are never repeated, because a request that failed may still
 * have been carried out.
 */
async function retrySafely(
  { clock, random }: { readonly clock: Clock; readonly random: () => number },
  { service, method, retries = GET_RETRIES }: HttpRequest,
  signal: AbortSignal,
  attempt: () => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  const most = method === "GET" ? retries : 0;
  for (let count = 0; ; count += 1) {
    // Half of the wait is random, so that many requests that failed together do not return together.
    let waitMs = BACKOFF_MS * 2 ** count * (0.5 + random() / 2);
    try {
      const answer = await attempt();
      const retryAfterMs = parseRetryAfter(answer.headers["retry-after"], clock.now()) ?? 0;
      const isTransient = TRANSIENT_STATUSES.has(answer.status) && retryAfterMs <= MAX_RETRY_WAIT_MS;
      if (count === most || !isTransient) {
        return answer;
      }
      waitMs = Math.max(waitMs, retryAfterMs);
    } catch (error) {
      if (count === most || !(error instanceof ServiceError) || error.kind !== "unavailable") {
        throw error;
      }
    }
    await wait(service, clock, waitMs, signal);
  }
}

/** The format of HTTP dates, e.g. `Sun, 06 Nov 1994 08:49:37 GMT`. Older formats are obsolete. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** A longer one is a mistake: no timer could wait for it, and some are too large for a database column. */
const MAX_RETRY_AFTER_MS = 7 * 86_400_000;

/**
 * Parses a `Retry-After` header, in seconds or as a date. Returns milliseconds from `nowMs`, at most a week, and 0 for
 * a past date; `undefined` if the header is missing or invalid.
 * https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? "";
  const dateMs = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1_000 : dateMs - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(0, waitMs), MAX_RETRY_AFTER_MS);
}
