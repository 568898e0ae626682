// What the service's error codes mean. Types and messages of its errors say nothing: throttling has the same as a
// dead token. https://developers.facebook.com/docs/graph-api/guides/error-handling
import type { ServiceErrorKind } from "../../core/errors.ts";

/** Finer than a kind: what a person can do about it. */
export type VideoTrouble =
  /** For now; later the same may work. */
  | "busy"
  | "slow-down"
  /** The account is barred from acting for hours. */
  | "blocked"
  /** The token's time is over, or it was never one: link the account again. */
  | "token-dead"
  /** The account's owner must first log in there and confirm something. */
  | "needs-confirmation"
  /** The token of a person, where a Page's is needed. */
  | "page-token-needed"
  | "permission"
  /** Not offered to this application, or to anybody any more. */
  | "unsupported"
  /** Gone, or not to be seen with this token: both look the same. */
  | "gone"
  | "bad-request"
  | "empty"
  | "duplicate"
  /** Not a video in a format that it knows. */
  | "format"
  | "too-small"
  | "too-large"
  /** The file did not arrive as it should, and will not. */
  | "file"
  /** Against the platform's rules. */
  | "content"
  /** The session goes on at another place than was sent. */
  | "offset"
  /** The session is over. */
  | "session";

const KINDS: Readonly<Record<VideoTrouble, ServiceErrorKind>> = {
  busy: "unavailable",
  "slow-down": "rate-limited",
  blocked: "rate-limited",
  "token-dead": "unauthorised",
  "needs-confirmation": "unauthorised",
  "page-token-needed": "not-permitted",
  permission: "not-permitted",
  unsupported: "rejected",
  gone: "not-found",
  "bad-request": "rejected",
  empty: "rejected",
  duplicate: "rejected",
  format: "rejected",
  "too-small": "rejected",
  "too-large": "too-large",
  file: "rejected",
  content: "rejected",
  offset: "rejected",
  session: "rejected",
};

/** These say more than the code beside which they stand. */
const BY_SUBCODE: Readonly<Record<number, VideoTrouble>> = {
  33: "gone",
  459: "needs-confirmation",
  464: "needs-confirmation",
  1_363_005: "permission",
  1_363_019: "busy",
  1_363_020: "session",
  1_363_021: "offset",
  1_363_022: "too-small",
  1_363_023: "too-large",
  1_363_030: "busy",
  1_363_031: "format",
  1_363_033: "busy",
  1_363_037: "offset",
  1_363_041: "offset",
  1_363_042: "permission",
  1_363_045: "file",
  1_363_047: "busy",
  1_390_008: "blocked",
  1_346_003: "content",
  1_404_078: "needs-confirmation",
  1_404_102: "content",
  1_609_010: "busy",
  2_069_019: "format",
  2_069_030: "unsupported",
  2_069_031: "unsupported",
  2_069_032: "page-token-needed",
  2_069_033: "unsupported",
  4_854_002: "needs-confirmation",
};

const BY_CODE: Readonly<Record<number, VideoTrouble>> = {
  1: "busy",
  2: "busy",
  3: "unsupported",
  4: "slow-down",
  10: "permission",
  17: "slow-down",
  32: "slow-down",
  100: "bad-request",
  102: "token-dead",
  190: "token-dead",
  194: "bad-request",
  197: "empty",
  341: "slow-down",
  352: "format",
  368: "blocked",
  382: "too-small",
  389: "file",
  390: "file",
  459: "needs-confirmation",
  506: "duplicate",
  613: "slow-down",
  6000: "file",
  6001: "session",
};

const BY_STATUS: Readonly<Record<number, ServiceErrorKind>> = {
  401: "unauthorised",
  403: "not-permitted",
  404: "not-found",
  408: "timeout",
  410: "not-found",
  413: "too-large",
  429: "rate-limited",
};

/** `undefined` where neither code is known: then only the status speaks. */
export function explainCode(code: number | undefined, subcode: number | undefined) {
  const trouble = (subcode !== undefined && BY_SUBCODE[subcode]) || (code !== undefined && byCode(code));
  return trouble ? { trouble, kind: KINDS[trouble] } : undefined;
}

function byCode(code: number): VideoTrouble | undefined {
  if (code >= 200 && code <= 299) {
    return "permission";
  }
  return code >= 80_000 && code <= 80_014 ? "slow-down" : BY_CODE[code];
}

/**
 * What a status other than 2xx stands for where no code is known. 400 is what the service itself says, always with its
 * own words: where those cannot be read, nothing is known.
 */
export function kindOfStatus(status: number, isReadable: boolean): ServiceErrorKind {
  if (status >= 500) {
    return "unavailable";
  }
  if (status < 400 || (status === 400 && !isReadable)) {
    return "unexpected-answer";
  }
  return BY_STATUS[status] ?? "rejected";
}
