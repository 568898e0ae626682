// One request to the Rail Data Marketplace: a product's own address and key, refusals, shape.
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { ServiceError, type ServiceErrorKind } from "../../core/errors.ts";
import { type Http, type HttpAnswer, parseRetryAfter } from "../../core/http.ts";
import { parseJsonAnswer } from "../../core/json.ts";

/** The name of the source in errors and logs. */
export const RAIL_DATA = "rail-data";

/** A product that the operator subscribes to. Each has its own address and key; no product accepts another's key. */
export interface RailDataProduct {
  /** Up to and including the version, e.g. `https://api1.raildata.org.uk/1010-…/LDBWS/api/20220120`. */
  readonly url: URL;
  readonly key: string;
}

export interface RailDataRequest {
  readonly verb: string;
  readonly product: RailDataProduct;
  /** The caller has checked the parts that come from outside. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** The gateway refuses the default user agents of libraries, with a page that looks like the one for a refused key. */
const USER_AGENT = "Signalbox (Discord bot for departure boards)";
/** A later answer is of no use to the person who asked. */
const TIMEOUT_MS = 10_000;
/** 149 rows of some 600 bytes, with details of a few kilobytes each, and a margin. */
const MAX_BYTES = 4 * 1024 * 1024;
/**
 * How many requests run at once. The gateway does not document its limit for bursts. A public client that runs daily waits
 * 100 ms between its calls (mwagstaff/train-track-uk); two at a time come to about the same rate.
 */
const AT_ONCE = 2;

/**
 * Asks once and reads the answer; after a status of 500, which valid questions get too, it asks once more. Throws what `Http`
 * throws, and ServiceErrors of the kinds unauthorised, not-permitted, budget-spent, rate-limited, not-found, unavailable,
 * rejected and unexpected-answer.
 */
export type AskRailData = <T>(request: RailDataRequest, schema: z.ZodType<T>) => Promise<T>;

export function createAskRailData({
  http,
  clock,
  spend,
  usedUp,
}: {
  readonly http: Http;
  readonly clock: Clock;
  /** Called before each attempt with its cost in calls of the plan; if it throws, nothing is sent. */
  readonly spend: (weight: number) => Promise<void>;
  /** Called when the service says that the plan is used up, with the wait that it asks for. */
  readonly usedUp?: (retryAfterMs: number | undefined) => Promise<void>;
}): AskRailData {
  const inTurn = createTurns(AT_ONCE);

  const send = ({ verb, product: { url, key }, path, query = {} }: RailDataRequest): Promise<HttpAnswer> => {
    const address = new URL(url.pathname.replace(/\/$/, "") + path, url);
    address.search = new URLSearchParams(query).toString();
    return http.request({
      service: RAIL_DATA,
      verb,
      method: "GET",
      url: address,
      headers: { accept: "application/json", "user-agent": USER_AGENT, "x-apikey": key },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      beforeAttempt: () => spend(1),
    });
  };

  return async (request, schema) => {
    const answer = await inTurn(async () => {
      const first = await send(request);
      return first.status === 500 ? send(request) : first;
    });
    try {
      throwForStatus(answer, clock.now());
      return parseJsonAnswer(RAIL_DATA, answer, schema);
    } catch (error) {
      if (error instanceof ServiceError && error.kind === "budget-spent") {
        await usedUp?.(error.retryAfterMs);
      }
      throw error;
    }
  };
}

/** Runs at most `atOnce` pieces of work at a time, in the order of the calls. */
function createTurns(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return async (work) => {
    if (free === 0) {
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      free -= 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) {
        next();
      } else {
        free += 1;
      }
    }
  };
}

/** The error for an answer in which nothing is usable. */
export function unexpectedAnswer(message: string): ServiceError {
  return new ServiceError(RAIL_DATA, "unexpected-answer", message);
}

/** Throws the ServiceError that a status other than 2xx stands for. `nowMs` is for a Retry-After that is a date. */
function throwForStatus(answer: HttpAnswer, nowMs: number): void {
  const { status, headers } = answer;
  if (status >= 200 && status < 300) {
    return;
  }
  const code = readErrorCode(answer);
  const [kind, meaning] = refusalOf(status, code, isPage(answer));
  throw new ServiceError(RAIL_DATA, kind, `answered ${status}: ${meaning}`, {
    status,
    retryAfterMs: parseRetryAfter(headers["retry-after"], nowMs),
  });
}

/** The kind of error for a status, and its meaning in words for the log. */
function refusalOf(status: number, code: string, isHtml: boolean): readonly [ServiceErrorKind, string] {
  switch (status) {
    case 401:
      return [
        "unauthorised",
        code.endsWith("FailedToResolveAPIKey")
          ? "the key did not arrive"
          : "the key is wrong, expired or another product's",
      ];
    case 403:
      return [
        "not-permitted",
        isHtml ? "the edge refuses our User-Agent" : "the subscription of this product is not active",
      ];
    case 400:
    case 404:
      return ["not-found", "no such station or train"];
    case 429:
      return code.endsWith("QuotaViolation")
        ? ["budget-spent", "the plan is used up"]
        : ["rate-limited", "too many requests at once"];
    case 500:
      return ["unavailable", "twice, or the product does not offer this operation"];
    default:
      return status > 500
        ? ["unavailable", "it cannot be reached"]
        : status < 400
          ? ["unexpected-answer", "it sends us elsewhere"]
          : ["rejected", "it refuses the question"];
  }
}

function isPage({ headers, bytes }: HttpAnswer): boolean {
  return (
    headers["content-type"]?.toLowerCase().startsWith("text/html") === true ||
    new TextDecoder().decode(bytes.subarray(0, 100)).trimStart().startsWith("<")
  );
}

/** The error body of the gateway, which is Apigee. */
const faultSchema = z.object({ fault: z.object({ detail: z.object({ errorcode: z.string() }) }) });

/** The gateway's error code; empty for a body of another shape. */
function readErrorCode({ bytes }: HttpAnswer): string {
  try {
    return faultSchema.parse(JSON.parse(new TextDecoder().decode(bytes))).fault.detail.errorcode;
  } catch {
    return "";
  }
}
