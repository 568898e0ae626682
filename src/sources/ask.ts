// One request to a source, whichever it is: the address, the plan, and what a refusal means for it.
import type { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { ServiceError, type ServiceErrorKind } from "../core/errors.ts";
import { type Http, type HttpAnswer, parseRetryAfter } from "../core/http.ts";
import type { SourceName } from "./transport-data.ts";

/** What a source's client needs. */
export interface Asking {
  readonly http: Http;
  readonly clock: Clock;
  /** Called before each attempt; if it throws, nothing is sent. */
  readonly spend: () => Promise<void>;
  /** Called when the source says that the plan is used up, with the wait that it asks for. */
  readonly usedUp?: (retryAfterMs: number | undefined) => Promise<void>;
}

export interface SourceRequest {
  readonly verb: string;
  /** A path in it is kept. */
  readonly baseUrl: URL;
  /** The parts that come from outside are checked or encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Largest answer to read (default: 4 MiB). */
  readonly maxBytes?: number | undefined;
}

/** What a refusal means, and the same in words for the log. */
export type Refusal = readonly [kind: ServiceErrorKind, meaning: string];

/** A later answer is of no use to the person who asked. */
const TIMEOUT_MS = 10_000;
/** A thousand rows of some 600 bytes take less, and so do 149 with details and London's arrivals. */
const MAX_BYTES = 4 * 1024 * 1024;

/** `spentKind`: what the source's refusal means if the plan is used up. */
export function createSourceRequest(
  service: SourceName,
  { http, clock, spend, usedUp }: Asking,
  spentKind: ServiceErrorKind = "budget-spent",
) {
  return {
    /** Throws what `Http` and `spend` throw. */
    send({ verb, baseUrl, path, query, headers, maxBytes = MAX_BYTES }: SourceRequest): Promise<HttpAnswer> {
      const url = new URL(baseUrl.pathname.replace(/\/$/, "") + path, baseUrl);
      url.search = new URLSearchParams(query).toString();
      return http.request({
        service,
        verb,
        method: "GET",
        url,
        headers: { accept: "application/json", ...headers },
        timeoutMs: TIMEOUT_MS,
        maxBytes,
        beforeAttempt: spend,
      });
    },
    /** The error for an answer that is a refusal. */
    async refusal({ status, headers }: HttpAnswer, [kind, meaning]: Refusal): Promise<ServiceError> {
      const retryAfterMs = parseRetryAfter(headers["retry-after"], clock.now());
      if (kind === spentKind) {
        await usedUp?.(retryAfterMs);
      }
      return new ServiceError(service, kind, meaning, { status, retryAfterMs });
    },
  };
}

/** A refusal is short; a longer answer is none. */
const MOST_REFUSAL_BYTES = 64 * 1024;

/** A refusal's body; `undefined` for one of another shape. Its texts may have addresses and keys in them: keep none. */
export function readRefusal<T>({ bytes }: HttpAnswer, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(bytes.subarray(0, MOST_REFUSAL_BYTES))));
  } catch {
    return undefined;
  }
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
