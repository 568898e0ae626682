// One request to the transport service, whatever is asked: address, credentials, refusals, shape.
import { z } from "zod";
import { ServiceError, type ServiceErrorKind } from "../../core/errors.ts";
import { parseJsonAnswer } from "../../core/json.ts";
import { type Asking, createSourceRequest, readRefusal } from "../ask.ts";

/** How the service is asked. Answers of either dialect are always understood. */
export type TransportDialect = "specification" | "public";

export interface TransportRequest {
  /** From `/v3/uk` on; parts that come from outside are encoded. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
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

/** Returns the one way to ask for one account. */
export function createAsk({
  baseUrl,
  appId,
  appKey,
  dialect,
  ...asking
}: Asking & {
  /** Without `/v3/uk`, e.g. `https://transportapi.com`; a path is kept. */
  readonly baseUrl: URL;
  readonly appId: string;
  readonly appKey: string;
  readonly dialect: TransportDialect;
}): Ask {
  const source = createSourceRequest(TRANSPORT, asking);
  /** The specification wants credentials in the query; the public service takes headers, which logs keep less. */
  const inQuery = dialect === "public" ? {} : { app_id: appId, app_key: appKey };
  const headers = dialect === "public" ? { "x-app-id": appId, "x-app-key": appKey } : {};

  return async (verb, { path, query, maxBytes }, schema) => {
    const answer = await source.send({
      verb,
      baseUrl,
      path,
      query: { ...query, ...inQuery },
      headers,
      maxBytes,
    });
    const { status } = answer;
    if (status < 200 || status >= 300) {
      const { error = "" } = readRefusal(answer, errorSchema) ?? {};
      throw await source.refusal(answer, [kindOf(status, error), `answered ${status}`]);
    }
    const body = parseJsonAnswer(TRANSPORT, answer, schema);
    if (body.error !== undefined && body.error !== null) {
      const text = typeof body.error === "string" ? body.error : "";
      throw await source.refusal(answer, [kindOf(status, text), "answered with an error inside"]);
    }
    return body;
  };
}

// What the service means when it refuses. Its texts hold the caller's key: they are read here and never kept.

/** The name of the service in errors and logs. */
export const TRANSPORT = "transport";

/** For an answer that says nothing that we can use. */
export function unexpectedAnswer(message: string): ServiceError {
  return new ServiceError(TRANSPORT, "unexpected-answer", message);
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

/** Errors from upstream of the service often are no JSON. */
const errorSchema = z.object({ error: z.string() });
