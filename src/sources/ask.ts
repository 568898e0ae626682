// One request to a source, whichever it is: the address, the plan, the meaning of a refusal, and the answer's shape.
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
  /** Called when the source says that the plan is used up, with the wait that it asks for. */
  readonly onPlanUsedUp?: (retryAfterMs: number | undefined) => Promise<void>;
}

export interface SourceRequest {
  /** For logs. */
  readonly verb: string;
  /** A path in it is kept. */
  readonly baseUrl: URL;
  /** The parts that come from outside are checked or encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a refusal means, and the same in words for the log. */
export type Refusal = readonly [kind: ServiceErrorKind, meaning: string];

/** A later answer is of no use to the person who asked. */
const TIMEOUT_MS = 10_000;
/** A thousand rows of some 600 bytes take less, and so do 149 with details, London's arrivals, and journeys of 175 KB a route. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Returns a function that asks once and reads the answer. It throws what `Http` and `spend` throw, ServiceErrors of the kinds
 * that `refusalOf` gives, and `unexpected-answer` for another shape. `usedUpKind`: the kind that means a used-up plan.
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
    const retryAfterMs = parseRetryAfter(answer.headers["retry-after"], clock.now());
    if (kind === usedUpKind) {
      await onPlanUsedUp?.(retryAfterMs);
    }
    throw new ServiceError(service, kind, meaning, { status: answer.status, retryAfterMs });
  };
}

export function isSuccess({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}

/** Whether it is a page of HTML, which a server in front of the service sends. */
export function isHtmlPage({ headers, bytes }: HttpAnswer): boolean {
  return (
    headers["content-type"]?.toLowerCase().startsWith("text/html") === true ||
    new TextDecoder().decode(bytes.subarray(0, 100)).trimStart().startsWith("<")
  );
}

/** A refusal is short; a longer answer is none. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/** A refusal's body; `undefined` for one of another shape. Its texts may have addresses and keys in them: keep none. */
export function readRefusal<T>({ bytes }: HttpAnswer, schema: z.ZodType<T>): T | undefined {
  try {
    return bytes.byteLength > MAX_REFUSAL_BYTES
      ? undefined
      : schema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}

export type OnSkipped = (count: number) => void;

/**
 * Reads a list entry by entry, so that a bad entry does not cost the others: `read` returns `undefined` for those that cannot
 * be used. If none can, throws ServiceError `unexpected-answer` that says what they lack; if some cannot, calls `onSkipped`
 * with their number.
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

/** The error for an answer that says nothing usable. */
export function unexpectedAnswer(service: SourceName, message: string): ServiceError {
  return new ServiceError(service, "unexpected-answer", message);
}

/** A railway station's code. */
export const CRS = /^[A-Z]{3}$/;

/** A code becomes part of an address, so anything else must be refused. */
export function checkedCrs(crs: string): string {
  if (!CRS.test(crs)) {
    throw new RangeError("a station code has three capital letters");
  }
  return crs;
}
