// What the service means when it refuses. There is no list of its errors: many services' ways are understood.
import { ServiceError, type ServiceErrorKind } from "../../core/errors.ts";
import type { HttpAnswer } from "../../core/http-types.ts";
import { parseRetryAfter } from "../../core/http.ts";
import { type Fields, firstField, isFields, readNumber, readText } from "./answer-fields.ts";

/** The name of the service in errors and logs. */
export const STYLE = "style";

/** Numbers above are seconds since 1970, those below seconds from now. */
const FIRST_EPOCH_SECOND = 1_000_000_000;
const LONGEST_TEXT = 200;
const LARGEST_REFUSAL_BYTES = 64 * 1024;

const NO_CREDIT =
  /insufficient[\s_-]*(?:\w+[\s_-]*)?(?:quota|credits?|balance|funds)|(?:out of|no|not enough)[\s_-]credits?|current quota|billing|payment[\s_-]required/i;
const MODERATED =
  /moderat|nsfw|content[\s_-]*(?:filter|polic)|safety|prohibited|inappropriate|sensitive content/i;
const NO_SUCH_STYLE =
  /\bstyle\b.*(?:unknown|not[\s_-](?:found|supported|available)|invalid|unsupported|does not exist|must be one of)|(?:unknown|invalid|unsupported|no such)\b.*\bstyle\b/i;
const NOT_IN_PLAN = /\b(?:plan|subscription|permission|scope)\b/i;

/** The ServiceError for an answer with a status other than 2xx. `nowMs` is for times given as a date. */
export function refusalOf(answer: HttpAnswer, nowMs: number): ServiceError {
  const { status, headers } = answer;
  const body = readBody(answer);
  const retryAfterMs = readRetryAfter(headers, nowMs) ?? readEstimate(body);
  const details = { status, retryAfterMs, requestId: headers["x-request-id"] };
  const texts = listTexts(body);
  return new ServiceError(
    STYLE,
    kindOf(status, texts.join("\n")),
    `answered ${status}${quote(texts)}`,
    details,
  );
}

/** The kind that a status and the service's own words stand for. */
export function kindOf(status: number, text: string): ServiceErrorKind {
  if (status === 402 || (status < 500 && NO_CREDIT.test(text))) {
    return "out-of-credit";
  }
  if (status >= 500) {
    return "unavailable";
  }
  if (status < 500 && status !== 401 && status !== 429 && MODERATED.test(text)) {
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
      // Not the style: the operation itself is not where the base URL says.
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

/** Whether a text finds fault with what was sent, and not with the machine that worked on it. */
export function isAboutPicture(text: string): boolean {
  return MODERATED.test(text) || /\b(?:image|picture|photo|input|file|face)\b/i.test(text);
}

/** Everything an answer says of what went wrong, the most telling first. For logs and for telling kinds apart. */
export function listTexts(body: unknown): readonly string[] {
  if (!isFields(body)) {
    return [];
  }
  const { error, errors, detail, fault } = body;
  const frames = [
    error,
    body,
    firstOf(detail),
    firstOf(errors),
    fault,
    isFields(fault) ? fault["detail"] : undefined,
  ];
  const keys = ["message", "error", "detail", "msg", "err", "error_msg", "faultstring", "title", "name"];
  const codes = ["code", "type", "error_type", "errorcode"];
  const texts = [
    ...[error, firstOf(errors)].filter((value) => typeof value === "string"),
    ...frames
      .filter(isFields)
      .flatMap((frame) => [...keys, ...codes].flatMap((key) => readText(frame[key]) ?? [])),
  ];
  return texts.map((text) => text.slice(0, LONGEST_TEXT));
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

/** The first text on one line, for a log: no address in it and nothing that could be a key. */
export function quote([text]: readonly string[]): string {
  const line = text
    // Links, and keys that a service says back.
    ?.replace(/\w+:\/\/\S+|\S{24,}/g, "…")
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
  return line === undefined ? "" : `: "${line}"`;
}

/** How long a refusal asks us to wait, by any of the headers in use. */
function readRetryAfter(headers: HttpAnswer["headers"], nowMs: number): number | undefined {
  const waitMs = parseRetryAfter(headers["retry-after"], nowMs);
  if (waitMs !== undefined) {
    return waitMs;
  }
  const names = ["x-ratelimit-reset", "ratelimit-reset", "x-picsart-ratelimit-reset-time"];
  const seconds = firstField([headers], names, readNumber);
  if (seconds === undefined || seconds < 0) {
    return undefined;
  }
  return seconds > FIRST_EPOCH_SECOND ? Math.max(0, seconds * 1000 - nowMs) : seconds * 1000;
}

/** A model that is being loaded says how long that will take, in seconds. */
function readEstimate(body: Fields | undefined): number | undefined {
  const seconds = readNumber(body?.["estimated_time"]);
  return seconds === undefined || seconds < 0 ? undefined : Math.round(seconds * 1000);
}

/** `undefined` for what is no JSON object: errors from upstream of the service often are not. */
function readBody({ bytes }: HttpAnswer): Fields | undefined {
  if (bytes.byteLength > LARGEST_REFUSAL_BYTES) {
    return undefined;
  }
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isFields(body) ? body : undefined;
  } catch {
    return undefined;
  }
}
