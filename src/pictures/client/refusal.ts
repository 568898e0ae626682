// Interprets refusals. There is no fixed list of errors, so this recognises the forms that many services use.
import { z } from "zod";
import { ServiceError, type ServiceErrorKind } from "../../core/errors.ts";
import { type HttpAnswer, parseRetryAfter } from "../../core/http.ts";
import { readRefusal } from "../../core/json.ts";
import { isFields, readNumber } from "./answer-places.ts";

/** The name of the service in errors and logs. */
export const STYLE = "style";

/** Numbers above this are seconds since 1970; numbers below it are seconds from now. */
const FIRST_EPOCH_SECOND = 1_000_000_000;
const LONGEST_TEXT = 200;
const DEEPEST = 4;

const NO_CREDIT =
  /insufficient[\s_-]*(?:\w+[\s_-]*)?(?:quota|credits?|balance|funds)|(?:out of|no|not enough)[\s_-]credits?|exhausted[\s_-]*(?:balance|credits?)|(?:balance|credits?)\b.{0,20}\b(?:exhausted|too low|used up)|current quota|billing|payment[\s_-]required|top[\s_-]up/i;
const MODERATED =
  /moderat|nsfw|(?:content|usage)[\s_-]*(?:filter|polic)|safety|prohibited|inappropriate|sensitive content|violat|flagged/i;
const NO_SUCH_STYLE =
  /\bstyle\b.*(?:unknown|not[\s_-](?:found|supported|available)|invalid|unsupported|does not exist|must be one of)|(?:unknown|invalid|unsupported|no such)\b.*\bstyle\b/i;
const NOT_IN_PLAN = /\b(?:plan|subscription|permission|scope)\b/i;

/** The ServiceError for an answer whose status is not 2xx. `nowMs` is needed for a Retry-After that is a date. */
export function refusalOf(answer: HttpAnswer, nowMs: number): ServiceError {
  const { status, headers } = answer;
  const body = readRefusal(answer, z.unknown());
  const texts = listTexts(body);
  const kind = kindOf(status, texts.join("\n"));
  return new ServiceError(STYLE, kind, `answered ${status}${quote(texts)}`, {
    status,
    retryAfterMs: readRetryAfter(headers, body, nowMs),
    requestId: headers["x-request-id"],
  });
}

export function kindOf(status: number, text: string): ServiceErrorKind {
  if (status === 402 || (status < 500 && NO_CREDIT.test(text))) {
    return "out-of-credit";
  }
  if (status >= 500) {
    return "unavailable";
  }
  if (status !== 401 && status !== 429 && MODERATED.test(text)) {
    return "rejected";
  }
  if (status !== 401 && status !== 403 && NO_SUCH_STYLE.test(text)) {
    return "not-found";
  }
  switch (status) {
    case 401:
      return "unauthorised";
    case 403:
      return NOT_IN_PLAN.test(text) ? "not-permitted" : "unauthorised";
    case 404:
    case 405:
    case 410:
      // The style is not the problem: the operation does not exist at the base URL.
      return "unexpected-answer";
    case 408:
      return "timeout";
    case 413:
      return "too-large";
    case 429:
      return "rate-limited";
    default:
      return status >= 300 && status < 400 ? "unexpected-answer" : "rejected";
  }
}

export function isAboutPicture(text: string): boolean {
  return MODERATED.test(text) || /\b(?:image|picture|photo|input|file|face)\b/i.test(text);
}

/** Fields that say what went wrong, at any depth. */
const TELLING =
  /^(?:errors?|err|error_\w+|errorcode|\w*message|msg|details?|reason|fault(?:string)?|title|name|code|type)$/i;
/** The least informative of them. */
const CODES = /code$|type$|^name$/i;

/** All texts in an answer that say what went wrong, codes last. Used for logs and to find the kind of error. */
export function listTexts(body: unknown, depth = 0): readonly string[] {
  if (typeof body === "string") {
    return body.trim() === "" ? [] : [body.slice(0, LONGEST_TEXT)];
  }
  if (Array.isArray(body)) {
    return depth === DEEPEST ? [] : listTexts(body[0], depth + 1);
  }
  const fields = isFields(body) && depth < DEEPEST ? Object.entries(body) : [];
  return fields
    .filter(([key]) => TELLING.test(key))
    .toSorted(([one], [other]) => Number(CODES.test(one)) - Number(CODES.test(other)))
    .flatMap(([, value]) => listTexts(value, depth + 1));
}

/** The first text on one line, for a log, without URLs or anything that could be a key. */
export function quote([text]: readonly string[]): string {
  const line = text
    // Links, and keys that a service may repeat.
    ?.replace(/\w+:\/\/\S+|\S{24,}/g, "…")
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
  return line === undefined ? "" : `: "${line}"`;
}

const RESET_HEADERS = ["x-ratelimit-reset", "ratelimit-reset", "x-picsart-ratelimit-reset-time"] as const;

/** The wait that a refusal asks for, in any of the usual headers, or as the time until the model is loaded. */
function readRetryAfter(headers: HttpAnswer["headers"], body: unknown, nowMs: number): number | undefined {
  const waitMs = parseRetryAfter(headers["retry-after"], nowMs);
  if (waitMs !== undefined) {
    return waitMs;
  }
  const estimate = isFields(body) ? body["estimated_time"] : undefined;
  const seconds = [...RESET_HEADERS.map((name) => headers[name]), estimate]
    .map(readNumber)
    .find((number) => number !== undefined && number >= 0);
  if (seconds === undefined) {
    return undefined;
  }
  return Math.round(seconds > FIRST_EPOCH_SECOND ? Math.max(0, seconds * 1000 - nowMs) : seconds * 1000);
}
