// A request to any source: builds the address, counts the call against the plan, and checks the answer.
import type { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { ServiceError, type ServiceErrorKind } from "../core/errors.ts";
import { type Http, type HttpAnswer, parseRetryAfter } from "../core/http.ts";
import { parseJsonAnswer } from "../core/json.ts";
import type { SourceName } from "./transport-data.ts";

export interface AskOptions {
  readonly http: Pick<Http, "request">;
  readonly clock: Clock;
  /** Called before each attempt; if it throws, nothing is sent. */
  readonly spend: () => Promise<void>;
  /**
   * Called when the source says that the plan is used up. Gets the wait that the source asks for; returns how long nothing
   * will be sent, in milliseconds.
   */
  readonly onPlanUsedUp?: (askedMs: number | undefined) => Promise<number | undefined>;
}

export interface SourceRequest {
  /** For logs. */
  readonly verb: string;
  /** May have a path, which comes before `path`. */
  readonly baseUrl: URL;
  /** The caller has checked or encoded the parts that come from outside. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Why the source refused a request: the kind of error, and its meaning in words for the log. */
export type Refusal = readonly [kind: ServiceErrorKind, meaning: string];

/** People don't wait longer than this. */
const TIMEOUT_MS = 10_000;
/** Enough for a thousand rows of about 600 bytes, 149 rows with details, London's arrivals, or routes of 175 KB each. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Returns a function that sends one request and parses the answer. It throws what `Http` and `spend` throw, ServiceErrors
 * of the kinds that `refusalOf` returns, and `unexpected-answer` if the answer does not fit the schema. `usedUpKind`: the
 * kind that means that the plan is used up.
 */
export function createAsk(
  service: SourceName,
  { http, clock, spend, onPlanUsedUp }: AskOptions,
  refusalOf: (answer: HttpAnswer) => Refusal | undefined,
  usedUpKind: ServiceErrorKind = "budget-spent",
) {
  return async <T>(
    { verb, baseUrl, path, query, headers }: SourceRequest,
    schema: z.ZodType<T>,
  ): Promise<T> => {
    const url = new URL(baseUrl.pathname.replace(/\/$/, "") + path, baseUrl);
    url.search = new URLSearchParams(query).toString();
    const answer = await http.request({
      service,
      verb,
      method: "GET",
      url,
      headers: { accept: "application/json", ...headers },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      beforeAttempt: spend,
    });
    const refusal = refusalOf(answer);
    if (refusal === undefined) {
      return parseJsonAnswer(service, answer, schema);
    }
    const [kind, meaning] = refusal;
    const askedMs = parseRetryAfter(answer.headers["retry-after"], clock.now());
    const closedForMs = kind === usedUpKind ? await onPlanUsedUp?.(askedMs) : undefined;
    const retryAfterMs = closedForMs ?? askedMs;
    throw new ServiceError(service, kind, meaning, { status: answer.status, retryAfterMs });
  };
}

/** Whether the answer is an HTML page, which comes from a server in front of the service. */
export function isHtmlPage({ headers, bytes }: HttpAnswer): boolean {
  return (
    headers["content-type"]?.toLowerCase().startsWith("text/html") === true ||
    new TextDecoder().decode(bytes.subarray(0, 100)).trimStart().startsWith("<")
  );
}

export type OnSkipped = (count: number) => void;

/**
 * Reads a list entry by entry, so that the others survive a bad one: `read` returns `undefined` for an unusable entry.
 * Throws a ServiceError `unexpected-answer` with the message `problem` if no entry is usable. If some are not, calls
 * `onSkipped` with their number.
 */
export function readEach<E, T>(
  service: SourceName,
  entries: readonly E[],
  read: (entry: E) => T | undefined,
  problem: string,
  onSkipped?: OnSkipped,
): readonly T[] {
  const usable = entries.map(read).filter((one) => one !== undefined);
  if (entries.length > 0 && usable.length === 0) {
    throw unexpectedAnswer(service, problem);
  }
  if (usable.length < entries.length) {
    onSkipped?.(entries.length - usable.length);
  }
  return usable;
}

export function unexpectedAnswer(service: SourceName, message: string): ServiceError {
  return new ServiceError(service, "unexpected-answer", message);
}

export const CRS = /^[A-Z]{3}$/;

/** Returns the code unchanged, for use in an address. Throws a RangeError if it is not a station code. */
export function checkedCrs(crs: string): string {
  if (!CRS.test(crs)) {
    throw new RangeError("a station code has three capital letters");
  }
  return crs;
}
