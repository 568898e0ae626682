// One request to the transport service: address, credentials, refusals.
import { z } from "zod";
import type { HttpAnswer } from "../../core/http.ts";
import {
  type AskOptions,
  type Refusal,
  type SourceRequest,
  createAsk,
  isSuccess,
  readRefusal,
} from "../ask.ts";

/** How the service is asked. Answers of either dialect are always understood. */
export type TransportDialect = "specification" | "public";

/** The path goes from `/v3/uk` on. */
export type TransportRequest = Pick<SourceRequest, "path" | "query">;

/** Returns a function that asks for one account. */
export function createAskTransport({
  baseUrl,
  appId,
  appKey,
  dialect,
  ...asking
}: AskOptions & {
  /** Without `/v3/uk`, e.g. `https://transportapi.com`; a path is kept. */
  readonly baseUrl: URL;
  readonly appId: string;
  readonly appKey: string;
  readonly dialect: TransportDialect;
}) {
  const ask = createAsk("transport", asking, refusalOf);
  /** The specification wants credentials in the query; the public service takes headers, which logs keep less. */
  const inQuery = dialect === "public" ? {} : { app_id: appId, app_key: appKey };
  const headers = dialect === "public" ? { "x-app-id": appId, "x-app-key": appKey } : {};

  return <T>(verb: string, request: TransportRequest, schema: z.ZodType<T>): Promise<T> =>
    ask({ ...request, verb, baseUrl, query: { ...request.query, ...inQuery }, headers }, schema);
}

// The service's texts hold the caller's key: they are read here and never kept.

/** Older refusals come with status 200. Errors from upstream of the service often are no JSON. */
function refusalOf(answer: HttpAnswer): Refusal | undefined {
  const { error } = readRefusal(answer, errorSchema) ?? {};
  const isInside = error !== undefined && error !== null;
  return isSuccess(answer) && !isInside
    ? undefined
    : [
        kindOf(answer.status, typeof error === "string" ? error : ""),
        `answered ${answer.status}${isSuccess(answer) ? " with an error inside" : ""}`,
      ];
}

const errorSchema = z.object({ error: z.unknown() });

/** The service has no codes: only the status and a few phrases tell refusals apart (marknotgeorge/TransportApiSharp). */
function kindOf(status: number, text: string): Refusal[0] {
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
