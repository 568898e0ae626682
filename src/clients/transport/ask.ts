// One request to the transport service, whatever is asked: address, credentials, refusals, shape.
import type { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Http } from "../../core/http-types.ts";
import { parseJsonAnswer } from "../../core/json.ts";
import { refusalWithin, throwForStatus, TRANSPORT } from "./refusal.ts";

/** How the service is asked. Answers of either dialect are always understood. */
export type TransportDialect = "specification" | "public";

/** What to ask for, below the base URL. */
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

/** What asking stands on. */
export interface AskDependencies {
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
}

/** Answers are wanted within a few seconds or not at all. */
const TIMEOUT_MS = 10_000;
/** A thousand rows of some 600 bytes, with room to spare. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Makes the one way to ask for one account. */
export function createAsk(dependencies: AskDependencies): Ask {
  const { http, baseUrl, appId, appKey, dialect, clock, spend, usedUp } = dependencies;
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
