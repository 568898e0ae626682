// How the service is reached: the key only at its own origin, and every address that it returned behind the guard.
import type { Clock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Http, HttpAnswer, HttpBody } from "../../core/http-types.ts";
import type { Log } from "../../core/log.ts";
import { MAX_ANSWER_BYTES, MAX_PICTURE_BYTES } from "./answer-fields.ts";
import { STYLE, refusalOf } from "./refusal.ts";
import { sendPicture, wait } from "./send-picture.ts";

export interface StyleApiDependencies {
  /** Without `/v1`; a path is kept. */
  readonly baseUrl: URL;
  readonly apiKey: string;
  readonly http: Http;
  readonly clock: Clock;
  readonly log: Log;
}

const POLL = { verb: "poll", timeoutMs: 15_000, maxBytes: MAX_ANSWER_BYTES, retry: { retries: 0 } };
const FETCH = { verb: "fetchResult", timeoutMs: 30_000, maxBytes: MAX_PICTURE_BYTES, retry: { retries: 2 } };
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
  const fetchOnce = (url: URL, signal: AbortSignal | undefined) => look(url, signal, FETCH);

  return {
    /** Sends a picture. */
    async send(body: HttpBody, signal: AbortSignal | undefined): Promise<HttpAnswer> {
      try {
        return await sendPicture({
          http,
          clock,
          url: processUrl,
          headers: headersFor(processUrl),
          body,
          signal,
        });
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
        await wait(clock, FETCH_AGAIN_MS, signal);
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
