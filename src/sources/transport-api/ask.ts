// One request to the transport service, whatever is asked: address, credentials, refusals, shape.
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { ServiceError, type ServiceErrorKind } from "../../core/errors.ts";
import { type Http, type HttpAnswer, parseRetryAfter } from "../../core/http.ts";
import { parseJsonAnswer } from "../../core/json.ts";

/** How the service is asked. Answers of either dialect are always understood. */
export type TransportDialect = "specification" | "public";

export interface TransportRequest {
  /** From `/v3/uk` on; parts that come from outside are encoded. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** How many hits of the plan each attempt costs. Default 1. */
  readonly weight?: number;
  /** Largest answer to read. Default 4 MiB. */
  readonly maxBytes?: number;
}

/**
 * Asks once and reads the answer. `verb` is for logs. Throws ServiceError: what `Http` throws, and unauthorised,
 * not-permitted, budget-spent, rate-limited, not-found, rejected, unavailable, unexpected-answer.
 */
export type Ask = <T extends MayRefuse>(
  verb: string,
  request: TransportRequest,
  schema: z.ZodType<T>,
) => Promise<T>;

/** Older refusals come with status 200: every schema must let `error` through. */
export interface MayRefuse {
  readonly error?: unknown;
}

/** Answers are wanted within a few seconds or not at all. */
const TIMEOUT_MS = 10_000;
/** A thousand rows of some 600 bytes, with room to spare. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Returns the one way to ask for one account. */
export function createAsk({
  http,
  baseUrl,
  appId,
  appKey,
  dialect,
  clock,
  spend,
  usedUp,
}: {
  readonly http: Http;
  /** Without `/v3/uk`, e.g. `https://transportapi.com`; a path is kept. */
  readonly baseUrl: URL;
  readonly appId: string;
  readonly appKey: string;
  readonly dialect: TransportDialect;
  readonly clock: Clock;
  /** Called before each attempt with what it costs of the plan; where it throws, nothing is sent. */
  readonly spend: (weight: number) => Promise<void>;
  /** Told when the service says that the plan is used up, and how long it asks us to wait. */
  readonly usedUp?: (retryAfterMs: number | undefined) => Promise<void>;
}): Ask {
  /** The specification wants credentials in the query; the public service takes headers, which logs keep less. */
  const inQuery = dialect === "public" ? {} : { app_id: appId, app_key: appKey };
  const inHeaders = dialect === "public" ? { "x-app-id": appId, "x-app-key": appKey } : {};

  return async (verb, { path, query, weight = 1, maxBytes = MAX_BYTES }, schema) => {
    const url = new URL(baseUrl.pathname.replace(/\/$/, "") + path, baseUrl);
    url.search = new URLSearchParams({ ...query, ...inQuery }).toString();
    const answer = await http.request({
      service: TRANSPORT,
      verb,
      method: "GET",
      url,
      headers: { accept: "application/json", ...inHeaders },
      timeoutMs: TIMEOUT_MS,
      maxBytes,
      beforeAttempt: () => spend(weight),
    });
    try {
      throwForStatus(answer, clock.now());
      const body = parseJsonAnswer(TRANSPORT, answer, schema);
      if (body.error !== undefined && body.error !== null) {
        throw refusalWithin(body.error, answer.status);
      }
      return body;
    } catch (error) {
      if (error instanceof ServiceError && error.kind === "budget-spent") {
        await usedUp?.(error.retryAfterMs);
      }
      throw error;
    }
  };
}

// What the service means when it refuses. Its texts hold the caller's key: they are read here and never kept.

/** The name of the service in errors and logs. */
export const TRANSPORT = "transport";

/** For an answer that says nothing that we can use. */
export function unexpectedAnswer(message: string): ServiceError {
  return new ServiceError(TRANSPORT, "unexpected-answer", message);
}

/** Throws the ServiceError that a status other than 2xx stands for. `nowMs` is for a Retry-After that is a date. */
function throwForStatus(answer: HttpAnswer, nowMs: number): void {
  const { status, headers } = answer;
  if (status >= 200 && status < 300) {
    return;
  }
  throw new ServiceError(TRANSPORT, kindOf(status, readErrorText(answer)), `answered ${status}`, {
    status,
    retryAfterMs: parseRetryAfter(headers["retry-after"], nowMs),
  });
}

/** The ServiceError for an answer of status 200 that holds nothing but `error`. */
function refusalWithin(error: unknown, status: number): ServiceError {
  const kind = kindOf(status, typeof error === "string" ? error : "");
  return new ServiceError(TRANSPORT, kind, "answered with an error inside", { status });
}

/** The service has no codes: only the status and a few phrases tell refusals apart (marknotgeorge/TransportApiSharp). */
function kindOf(status: number, text: string): ServiceErrorKind {
  if (status >= 500) {
    return "unavailable";
  }
  if (/usage limits?/i.test(text)) {
    return "budget-spent";
  }
  if (status === 401 || /authori[sz]ation failed|application_not_found|app_(?:id|key)/i.test(text)) {
    return "unauthorised";
  }
  switch (status) {
    case 403:
      return "not-permitted";
    case 404:
      return "not-found";
    case 429:
      return "rate-limited";
    case 200:
      return /not found|unknown|does not exist/i.test(text) ? "not-found" : "rejected";
    default:
      return status >= 300 && status < 400 ? "unexpected-answer" : "rejected";
  }
}

const errorSchema = z.object({ error: z.string() });

/** Empty for a body that is no JSON: errors from upstream of the service often are not. */
function readErrorText({ bytes }: HttpAnswer): string {
  try {
    return errorSchema.parse(JSON.parse(new TextDecoder().decode(bytes))).error;
  } catch {
    return "";
  }
}
