// A request to the transport service: its credentials, and the meaning of its refusals.
import { z } from "zod";
import { type HttpAnswer, isSuccess } from "../../core/http.ts";
import { readRefusal } from "../../core/json.ts";
import { type AskOptions, type Refusal, type SourceRequest, createAsk } from "../ask.ts";

/** The form of the requests. Answers in either dialect are always understood. */
export type TransportDialect = "specification" | "public";

/** `path` begins with `/v3/uk`. */
export type TransportRequest = Pick<SourceRequest, "path" | "query">;

/** Returns a function like that of {@link createAsk}, with one account's credentials. */
export function createAskTransport(
  deps: AskOptions & {
    /** Without `/v3/uk`, e.g. `https://transportapi.com`; may have a path. */
    readonly baseUrl: URL;
    readonly appId: string;
    readonly appKey: string;
    readonly dialect: TransportDialect;
  },
) {
  const { baseUrl, appId, appKey, dialect, ...asking } = deps;
  const ask = createAsk("transport", asking, refusalOf);
  /** The specification requires credentials in the query. The public service accepts headers, which end up in fewer logs. */
  const inQuery = dialect === "public" ? {} : { app_id: appId, app_key: appKey };
  const headers = dialect === "public" ? { "x-app-id": appId, "x-app-key": appKey } : {};

  return <T>(verb: string, request: TransportRequest, schema: z.ZodType<T>): Promise<T> =>
    ask({ ...request, verb, baseUrl, query: { ...request.query, ...inQuery }, headers }, schema);
}

// The texts of refusals contain the caller's key: they are read here, but never stored or logged.

/** Older refusals have the status 200. Errors from servers in front of the service are often not JSON. */
function refusalOf(answer: HttpAnswer): Refusal | undefined {
  const { error } = readRefusal(answer, errorSchema) ?? {};
  const hasError = error !== undefined && error !== null;
  return isSuccess(answer) && !hasError
    ? undefined
    : [
        kindOf(answer.status, typeof error === "string" ? error : ""),
        `answered ${answer.status}${isSuccess(answer) ? " with an error inside" : ""}`,
      ];
}

const errorSchema = z.object({ error: z.unknown() });

/** The kind of a refusal. The service has no codes, only statuses and a few phrases (marknotgeorge/TransportApiSharp). */
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
