// How the service is reached: the key only at its own origin, and every address that it returned behind the guard.
import type { Clock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Http, HttpAnswer, HttpBody } from "../../core/http-types.ts";
import type { Log } from "../../core/log.ts";
import { MAX_ANSWER_BYTES, MAX_PICTURE_BYTES } from "./answer-fields.ts";
import { STYLE, refusalOf } from "./refusal.ts";
import { BodyEncodingError, BodyTooLargeError, TimeoutReason } from "../../core/http-failure.ts";
import { wait } from "../../core/wait.ts";

export interface StyleApiDependencies {
  /** Without `/v1`; a path is kept. */
  readonly baseUrl: URL;
  readonly apiKey: string;
  readonly http: Http;
  readonly clock: Clock;
  readonly log: Log;
}

/** Results take seconds, but some services hold the line for up to a minute before they speak of a job. */
const SEND_TIMEOUT_MS = 65_000;
/** Before the second and the third attempt, where the service does not say. */
const WAITS_MS = [1_000, 3_000] as const;
/** A longer wait is the person's to know. */
const LONGEST_WAIT_MS = 10_000;

const POLL = { verb: "poll", timeoutMs: 15_000, maxBytes: MAX_ANSWER_BYTES, retries: 0 };
const FETCH = { verb: "fetchResult", timeoutMs: 30_000, maxBytes: MAX_PICTURE_BYTES, retries: 2 };
const FETCH_AGAIN_MS = 1_000;
const CANCEL = { verb: "cancel", timeoutMs: 15_000, maxBytes: 64 * 1024 };

/** Throws ServiceError for every answer but a good one. */
export function createStyleApi({ baseUrl, apiKey, http, clock, log }: StyleApiDependencies) {
  const processUrl = new URL(`${baseUrl.pathname.replace(/\/$/, "")}/v1/process`, baseUrl);
  const guard = { ownOrigin: baseUrl.origin };
  const headersFor = (url: URL): Record<string, string> => ({
    accept: "application/json, image/*",
    ...(url.origin === baseUrl.origin && { authorization: `Bearer ${apiKey}` }),
  });

  const look = async (
    url: URL,
    signal: AbortSignal | undefined,
    how: typeof POLL | typeof FETCH,
  ): Promise<HttpAnswer> => {
    const headers = headersFor(url);
    const asked = { ...how, service: STYLE, method: "GET", url, headers, guard } as const;
    const answer = await http.request({ ...asked, ...(signal && { signal }) });
    if (answer.status >= 200 && answer.status < 300) {
      return answer;
    }
    throw lookingFailure(answer, clock.now());
  };
  /** What was taken may be charged, so it is sent again only where the service says that it did nothing. */
  async function sendPicture(body: HttpBody, signal: AbortSignal | undefined): Promise<HttpAnswer> {
    const url = processUrl;
    const headers = headersFor(url);
    for (let attempt = 0; ; attempt += 1) {
      const answer = await http
        .request({
          service: STYLE,
          verb: "process",
          method: "POST",
          url,
          headers,
          body,
          timeoutMs: SEND_TIMEOUT_MS,
          maxBytes: MAX_ANSWER_BYTES,
          ...(signal && { signal }),
        })
        .catch((error: unknown) => {
          throw explainLostAnswer(error);
        });
      if (answer.status >= 200 && answer.status < 300) {
        return answer;
      }
      const refusal = refusalOf(answer, clock.now());
      const waitMs = waitBefore(refusal, attempt);
      if (waitMs === undefined) {
        throw refusal;
      }
      await wait(STYLE, clock, waitMs, signal);
    }
  }

  const fetchOnce = (url: URL, signal: AbortSignal | undefined) => look(url, signal, FETCH);

  return {
    /** Sends a picture; `timeout` or `unavailable` where no answer came. */
    async send(body: HttpBody, signal: AbortSignal | undefined): Promise<HttpAnswer> {
      try {
        return await sendPicture(body, signal);
      } catch (error) {
        if (error instanceof ServiceError && error.status !== undefined) {
          log.warn({ service: STYLE, error }, "picture refused");
        }
        throw error;
      }
    },
    /** Asks a job how far it is, once. */
    poll: (url: URL, signal: AbortSignal | undefined): Promise<HttpAnswer> => look(url, signal, POLL),
    /** Fetches a result, more than once where it must be. */
    async fetch(url: URL, signal: AbortSignal | undefined): Promise<HttpAnswer> {
      return fetchOnce(url, signal).catch(async (error: unknown) => {
        if (!(error instanceof ServiceError) || error.status !== 500) {
          throw error;
        }
        // Http takes a 500 for lasting, but this picture is made and may be paid for.
        await wait(STYLE, clock, FETCH_AGAIN_MS, signal);
        return fetchOnce(url, signal);
      });
    },
    /** Tells the service that a job is not wanted any more; never throws, and only reaches its own origin. */
    async cancel(url: URL): Promise<void> {
      if (url.origin !== baseUrl.origin) {
        return;
      }
      try {
        await http.request({ ...CANCEL, service: STYLE, method: "POST", url, headers: headersFor(url) });
      } catch (error) {
        log.debug({ service: STYLE, error }, "job cancellation failed");
      }
    },
  };
}

export type StyleApi = ReturnType<typeof createStyleApi>;

/** A result or a job has no credentials, no content and no style to be refused for: it is there or it is not. */
function lookingFailure(answer: HttpAnswer, nowMs: number): ServiceError {
  const { status } = answer;
  const { retryAfterMs, requestId } = refusalOf(answer, nowMs);
  const kind = status === 429 ? "rate-limited" : status < 400 ? "unexpected-answer" : "unavailable";
  return new ServiceError(STYLE, kind, `a result's address answered ${status}`, {
    status,
    retryAfterMs,
    requestId,
  });
}

function waitBefore(refusal: ServiceError, attempt: number): number | undefined {
  // A 429 for want of credit is of another kind.
  const didNothing =
    refusal.kind === "rate-limited" || (refusal.kind === "unavailable" && refusal.status === 503);
  const usualMs = WAITS_MS[attempt];
  if (!didNothing || usualMs === undefined) {
    return undefined;
  }
  const waitMs = Math.max(usualMs, refusal.retryAfterMs ?? 0);
  return waitMs > LONGEST_WAIT_MS ? undefined : waitMs;
}

// Why the answer to a picture never arrived.

/**
 * Gives an `outcome-unknown` the kind of what happened: there is nothing to look after where a picture's answer was
 * lost, and sending it again does no more harm than costing once more. Anything else is handed back as it is.
 */
function explainLostAnswer(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.kind !== "outcome-unknown") {
    return error;
  }
  const { cause, status } = error;
  const details = { cause, status };
  if (cause instanceof TimeoutReason) {
    return new ServiceError(STYLE, "timeout", "process: no answer in time", details);
  }
  if (cause instanceof BodyTooLargeError) {
    return new ServiceError(STYLE, "too-large", "process: the answer passes its limit", details);
  }
  const kind = cause instanceof BodyEncodingError ? "unexpected-answer" : "unavailable";
  return new ServiceError(STYLE, kind, "process: the answer was lost", details);
}
