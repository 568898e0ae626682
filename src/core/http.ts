// Every call that the bot makes to a service passes here, through undici (discord.js has a client of its own).
// It knows bytes, time and retries; it knows nothing of what any service means by an answer.
import { createConnections, sendRequest } from "./http-attempt.ts";
import { openStream, sendStream } from "./http-stream.ts";
import type { Http, HttpAnswer, HttpRequest, HttpStreams } from "./http-types.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import { type Meter, noMeter } from "./meter.ts";
import type { ResolveAddresses } from "./url-guard.ts";
import { ServiceError } from "./errors.ts";
import { retryOnClock } from "./retry.ts";

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
}): Http & HttpStreams {
  const connections = createConnections(resolve);
  const dependencies = { clock, log, meter, connections };
  const closing = new AbortController();
  const signalOf = ({ signal }: { readonly signal?: AbortSignal }): AbortSignal =>
    signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;

  return {
    request(request) {
      const signal = signalOf(request);
      const attempt = async (): Promise<HttpAnswer> => {
        await request.beforeAttempt?.();
        return sendRequest(dependencies, request, signal);
      };
      return retrySafely({ clock, random }, request, signal, attempt);
    },
    open: (request) => openStream(dependencies, request, signalOf(request)),
    upload: (request) => sendStream(dependencies, request, signalOf(request)),
    async close() {
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
  request: HttpRequest,
  signal: AbortSignal,
  attempt: () => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  if (request.method !== "GET") {
    return attempt();
  }
  const { retries = GET_RETRIES } = request;
  try {
    return await retryOnClock({ clock, signal, waitMs }, () => attempt().then(throwTransient));
  } catch (error) {
    if (error instanceof TransientAnswer) {
      return error.answer;
    }
    if (signal.aborted && error === signal.reason) {
      throw new ServiceError(request.service, "aborted", `${request.verb}: given up`, { cause: error });
    }
    throw error;
  }

  function waitMs(error: Error, attemptNumber: number): number | undefined {
    if (attemptNumber > retries) {
      return undefined;
    }
    // Half of it is left to chance, so that many who failed together do not come back together.
    const delayMs = BACKOFF_MS * 2 ** (attemptNumber - 1) * (0.5 + random() / 2);
    if (error instanceof TransientAnswer) {
      const retryAfterMs = parseRetryAfter(error.answer.headers["retry-after"], clock.now()) ?? 0;
      return retryAfterMs > MAX_RETRY_AFTER_MS ? undefined : Math.max(delayMs, retryAfterMs);
    }
    return error instanceof ServiceError && error.kind === "unavailable" ? delayMs : undefined;
  }
}

/** Carries an answer: only what throws is attempted again. */
class TransientAnswer extends Error {
  override readonly name = "TransientAnswer";
  readonly answer: HttpAnswer;

  constructor(answer: HttpAnswer) {
    super();
    this.answer = answer;
  }
}

function throwTransient(answer: HttpAnswer): HttpAnswer {
  if (TRANSIENT_STATUSES.has(answer.status)) {
    throw new TransientAnswer(answer);
  }
  return answer;
}

/** As HTTP writes dates, e.g. `Sun, 06 Nov 1994 08:49:37 GMT`. Older forms are obsolete. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Reads a `Retry-After` header, in seconds or as a date, as milliseconds from `nowMs`; a date gone by is 0.
 * `undefined` where there is none or it cannot be read. https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d+$/.test(text)) {
    return Number(text) * 1000;
  }
  const dateMs = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
