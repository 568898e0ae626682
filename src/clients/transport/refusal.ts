// What the service means when it refuses. Its texts hold the caller's key: they are read here and never kept.
import { z } from "zod";
import { ServiceError, type ServiceErrorKind } from "../../core/errors.ts";
import type { HttpAnswer } from "../../core/http-types.ts";
import { parseRetryAfter } from "../../core/http-retry-after.ts";

/** The name of the service in errors and logs. */
export const TRANSPORT = "transport";

/** Throws the ServiceError that a status other than 2xx stands for. `nowMs` is for a Retry-After that is a date. */
export function throwForStatus(answer: HttpAnswer, nowMs: number): void {
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
export function refusalWithin(error: unknown, status: number): ServiceError {
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
