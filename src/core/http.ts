// Every call that the bot makes to a service passes here, through undici (discord.js has a client of its own).
// It knows bytes, time and retries; it knows nothing of what any service means by an answer.
import type { Readable } from "node:stream";
import { createConnections, sendRequest } from "./http-attempt.ts";
import { openStream, sendStream } from "./http-stream.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import { type Meter, noMeter } from "./meter.ts";
import type { ResolveAddresses } from "./url-guard.ts";
import { ServiceError } from "./errors.ts";
import { wait } from "./retry.ts";

/** What a request sends: headers that describe it, and its bytes. A stream must come with a `content-length`. */
export interface HttpBodyContent {
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Uint8Array | Readable;
}

/** Opens a body; called once for each attempt, because a stream can be read only once. */
export type HttpBody = () => HttpBodyContent;

export interface HttpRequest {
  readonly service: string;
  /** What is being done, for errors and logs, e.g. `liveBoard`. */
  readonly verb: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** May hold credentials in its query: it is never logged and never part of an error. */
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: HttpBody;
  /** For one attempt, its whole answer included, on the clock. */
  readonly timeoutMs: number;
  /** The largest answer, counted on the wire and again after decompression. */
  readonly maxBytes: number;
  /** How many more attempts a GET may take; default 2. Any other method is sent once. */
  readonly retries?: number;
  /** Called before every attempt, the first one too, e.g. to count it; where it throws, nothing is sent. */
  readonly beforeAttempt?: () => Promise<void>;
  readonly signal?: AbortSignal;
  /** For a URL that the service itself returned: `url-guard.ts` says what is let through. */
  readonly guard?: { readonly ownOrigin: string };
}

/** What came back. Header names are in lower case; `bytes` are already decompressed. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

/** Every request to the services behind the bot. Any status is an answer, redirects too: they are not followed. */
export type Http = ReturnType<typeof createHttp>;

/** A request without a limit of time as a whole: large files take as long as they take. Sent once, never again. */
export interface HttpStreamRequest extends Pick<
  HttpRequest,
  "service" | "verb" | "url" | "headers" | "maxBytes" | "signal" | "guard"
> {
  /** How long nothing may move, on the clock. A reader that takes its time does not count. */
  readonly idleMs: number;
}

export interface HttpUpload extends HttpStreamRequest, Required<Pick<HttpRequest, "body">> {
  readonly method: "POST";
}

/** What came back, while it still comes. */
export interface HttpStreamAnswer extends Omit<HttpAnswer, "bytes"> {
  /** To be read to its end or destroyed; fails with the ServiceErrors that `Http.open` throws. */
  readonly body: Readable;
}

export function createHttp({
  clock,
  log,
  meter = noMeter,
  random = Math.random,
  resolve,
}: {
  readonly clock: Clock;
  readonly log: Log;
  readonly meter?: Meter;
  /** For the jitter of waits: 0 to 1. Default `Math.random`. */
  readonly random?: () => number;
  /** Finds the addresses of a guarded URL's host. Default the system's resolver. */
  readonly resolve?: ResolveAddresses;
}) {
  const connections = createConnections(resolve);
  const dependencies = { clock, log, meter, connections };
  const closing = new AbortController();
  const signalOf = ({ signal }: { readonly signal?: AbortSignal }): AbortSignal =>
    signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;

  return {
    /**
     * Throws ServiceError: `unavailable`, `timeout`, `too-large`, `unexpected-answer` (undecodable, or a guarded URL that
     * may not be fetched), `aborted`, and for anything but a GET `outcome-unknown` when it may have been sent and its
     * answer was lost.
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
     * GETs what is too large for memory, and hands over its body as it comes, as fast as it is read. Throws, until and
     * after the answer begins, what `request` throws for a GET; a compressed body is an `unexpected-answer`.
     */
    open: (request: HttpStreamRequest) => openStream(dependencies, request, signalOf(request)),
    /**
     * Sends a stream of known length, as fast as it is taken, and reads the answer whole. Throws what `request` throws
     * for a write, but `outcome-unknown` only if all of it was sent, then also when it is aborted: before that it cannot
     * have been accepted. What the stream fails with comes out as it is, where it is one of our own errors.
     */
    upload: (request: HttpUpload) => sendStream(dependencies, request, signalOf(request)),
    /** Closes the connections; what is still under way fails as `aborted`. */
    async close(): Promise<void> {
      closing.abort();
      await connections.close();
    },
  };
}

// Asks again where that can do no harm: later each time, and never sooner than the service asks.

const GET_RETRIES = 2;
/** About how long to wait before the second attempt; doubled for each further one. */
const BACKOFF_MS = 250;
/** The longest `Retry-After` that is waited for; with a longer one, the answer is handed back. */
const MAX_RETRY_AFTER_MS = 5_000;

/** Too busy, or a server in between that could not reach it: the same request may well be answered next time. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Runs `attempt` until it gives a lasting answer or may not be repeated. Repeats a GET after a network failure or a
 * transient status; never after a time-out (the person has waited long enough), a limit, or an abort. Any other method
 * may have been carried out although it failed, and is never repeated. Returns the last attempt's answer as it is.
 * `random`, 0 to 1, is for the jitter of waits.
 */
async function retrySafely(
  { clock, random }: { readonly clock: Clock; readonly random: () => number },
  { service, method, retries = GET_RETRIES }: HttpRequest,
  signal: AbortSignal,
  attempt: () => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  const most = method === "GET" ? retries : 0;
  for (let count = 0; ; count += 1) {
    // Half of it is left to chance, so that many who failed together do not come back together.
    let waitMs = BACKOFF_MS * 2 ** count * (0.5 + random() / 2);
    try {
      const answer = await attempt();
      const retryAfterMs = parseRetryAfter(answer.headers["retry-after"], clock.now()) ?? 0;
      const isTransient = TRANSIENT_STATUSES.has(answer.status) && retryAfterMs <= MAX_RETRY_AFTER_MS;
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

/** As HTTP writes dates, e.g. `Sun, 06 Nov 1994 08:49:37 GMT`. Older forms are obsolete. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** A longer one is a mistake: no timer could wait for it, and some are too large for a table. */
const MOST_RETRY_AFTER_MS = 7 * 86_400_000;

/**
 * Reads a `Retry-After` header, in seconds or as a date, as milliseconds from `nowMs`, at most a week; a date gone by is
 * 0. `undefined` where there is none or it cannot be read. https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? "";
  const dateMs = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1_000 : dateMs - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(0, waitMs), MOST_RETRY_AFTER_MS);
}
