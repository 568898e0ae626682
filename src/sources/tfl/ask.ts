// One request to TfL's Unified API: address, key, refusals, shape.
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { ServiceError, type ServiceErrorKind } from "../../core/errors.ts";
import { type Http, type HttpAnswer, parseRetryAfter } from "../../core/http.ts";
import { parseJsonAnswer } from "../../core/json.ts";
import type { Log } from "../../core/log.ts";

/** The name of the service in errors and logs. */
export const TFL = "tfl";

/** A later answer is of no use to the person who asked. */
const TIMEOUT_MS = 10_000;
/** The status of all lines on a day of strikes takes 50 KB; a large bus station's arrivals 200 KB. */
const MAX_BYTES = 4 * 1024 * 1024;

/** What a client for one account needs. */
export interface AskTflDependencies {
  readonly http: Http;
  /** e.g. `https://api.tfl.gov.uk`; a path is kept. */
  readonly baseUrl: URL;
  /** `undefined`: no key is sent, and TfL allows a tenth of the rate. */
  readonly appKey: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Called before each attempt; if it throws, nothing is sent. */
  readonly spend: (weight: number) => Promise<void>;
  /** Called when TfL answers that there were too many requests, with the wait that it asks for. */
  readonly usedUp?: (retryAfterMs: number | undefined) => Promise<void>;
}

/**
 * Returns a function that gets a list from a path; the caller has encoded the parts that come from outside. `verb` is for
 * logs. It throws what `Http` throws, and the ServiceErrors of {@link kindOf} and `unexpected-answer`.
 */
export function createAskTfl({ http, baseUrl, appKey, clock, log, spend, usedUp }: AskTflDependencies) {
  let isKeyProven = appKey === undefined;

  return async (verb: string, path: string): Promise<readonly unknown[]> => {
    const answer = await http.request({
      service: TFL,
      verb,
      method: "GET",
      url: new URL(baseUrl.pathname.replace(/\/$/, "") + path, baseUrl),
      headers: {
        accept: "application/json",
        // TfL refuses requests without a user agent, or with a library's, with a page of HTML.
        "user-agent": "Signalbox",
        // In a header, because TfL's refusals repeat the address.
        ...(appKey !== undefined && { app_key: appKey }),
      },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      beforeAttempt: () => spend(1),
    });
    if (answer.status === 429 && !isKeyProven) {
      log.warn({ service: TFL, status: answer.status }, "key perhaps refused");
    }
    const refusal = refusalOf(answer, clock.now());
    if (refusal) {
      if (refusal.kind === "rate-limited") {
        await usedUp?.(refusal.retryAfterMs);
      }
      throw refusal;
    }
    const list = parseJsonAnswer(TFL, answer, z.array(z.unknown()));
    isKeyProven = true;
    return list;
  };
}

// Finds out why TfL refused. Its texts contain addresses and names of its code, so they are read here and never kept.

const refusalSchema = z.object({
  $type: z.string().optional().catch(undefined),
  exceptionType: z.string().optional().catch(undefined),
  /** Usually a number; one report shows a word. */
  httpStatusCode: z.unknown().optional(),
  message: z.string().optional().catch(undefined),
});

/** The error for an answer that is not a list, even if its status is 200. */
function refusalOf(answer: HttpAnswer, nowMs: number): ServiceError | undefined {
  const { status, headers } = answer;
  const text = startOf(answer);
  const refusal = text.startsWith("{") ? readRefusal(answer) : undefined;
  const isRefusal = refusal?.exceptionType !== undefined || /ApiError|HttpError/.test(refusal?.$type ?? "");
  const isPage = text.startsWith("<");
  if (status >= 200 && status < 300 && !isRefusal && !isPage) {
    return undefined;
  }
  const within = status < 300 && isRefusal ? statusWithin(refusal?.httpStatusCode) : status;
  return new ServiceError(
    TFL,
    // A page of HTML comes from a server in front of TfL's API and says nothing about the question.
    isPage && status !== 401 ? "unavailable" : kindOf(within, refusal),
    `answered ${status}${isPage ? " with HTML" : within === status ? "" : ` with the error ${within} inside`}`,
    { status, retryAfterMs: parseRetryAfter(headers["retry-after"], nowMs) },
  );
}

function startOf({ bytes }: HttpAnswer): string {
  return new TextDecoder().decode(bytes.subarray(0, 100)).trimStart();
}

/** The body of a refusal; `undefined` if it is not JSON. A long answer is never a refusal. */
function readRefusal({ bytes }: HttpAnswer): z.infer<typeof refusalSchema> | undefined {
  try {
    return refusalSchema.parse(JSON.parse(new TextDecoder().decode(bytes.subarray(0, 64 * 1024))));
  } catch {
    return undefined;
  }
}

function statusWithin(code: unknown): number {
  return code === 404 || code === "NotFound" ? 404 : code === 400 || code === "BadRequest" ? 400 : 500;
}

function kindOf(status: number, refusal: z.infer<typeof refusalSchema> | undefined): ServiceErrorKind {
  // TfL has answered 429 to an unknown key.
  const isAboutKey = /app_?key|subscription key/i.test(refusal?.message ?? "");
  switch (status) {
    case 401:
    case 403:
      return "unauthorised";
    case 404:
      return "not-found";
    case 429:
      return isAboutKey ? "unauthorised" : "rate-limited";
    default:
      // 300: the place could be one of several. 400: no place has this id.
      return status >= 500 ? "unavailable" : "rejected";
  }
}
