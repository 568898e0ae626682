// Sends a picture: what was taken may be charged, so it is sent again only where the service says that it did nothing.
import { type Clock, sleep } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Http, HttpAnswer, HttpBody } from "../../core/http-types.ts";
import { MAX_ANSWER_BYTES } from "./answer-fields.ts";
import { STYLE, refusalOf } from "./refusal.ts";
import { BodyEncodingError, BodyTooLargeError, TimeoutReason } from "../../core/http-failure.ts";

/** How and where to send it. */
export interface SendOptions {
  readonly http: Http;
  readonly clock: Clock;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: HttpBody;
  readonly signal: AbortSignal | undefined;
}

/** Results take seconds, but some services hold the line for up to a minute before they speak of a job. */
const TIMEOUT_MS = 65_000;
/** Before the second and the third attempt, where the service does not say. */
const WAITS_MS = [1_000, 3_000] as const;
/** Who is told to wait for longer had better tell the person. */
const LONGEST_WAIT_MS = 10_000;

/** Gives back a good answer; throws ServiceError for any other, and `timeout` or `unavailable` for none. */
export async function sendPicture(options: SendOptions): Promise<HttpAnswer> {
  const { http, clock, url, headers, body, signal } = options;
  for (let attempt = 0; ; attempt += 1) {
    const answer = await http
      .request({
        service: STYLE,
        verb: "process",
        method: "POST",
        url,
        headers,
        body,
        timeoutMs: TIMEOUT_MS,
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
    await wait(clock, waitMs, signal);
  }
}

/** Waits; throws ServiceError `aborted` when the signal does. */
export async function wait(clock: Clock, waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(clock, waitMs, signal).catch((cause: unknown) => {
    throw new ServiceError(STYLE, "aborted", "given up", { cause });
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
