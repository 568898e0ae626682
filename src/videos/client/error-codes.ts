// What the service's error codes mean. Types and messages of its errors say nothing: throttling has the same as a
// dead token. https://developers.facebook.com/docs/graph-api/guides/error-handling
import type { ServiceErrorKind } from "../../core/errors.ts";

/** What a person can do about it, finer than its kind; then its codes, and subcodes, which have no number in common. */
const TROUBLES = {
  /** For now; later the same may work. */
  busy: ["unavailable", 1, 2, 1_363_019, 1_363_030, 1_363_033, 1_363_047, 1_609_010],
  /** Also 80000 to 80014. */
  "slow-down": ["rate-limited", 4, 17, 32, 341, 613],
  /** The account is barred from acting for hours. */
  blocked: ["rate-limited", 368, 1_390_008],
  /** The token's time is over, or it was never one: link the account again. */
  "token-dead": ["unauthorised", 102, 190],
  /** The account's owner must first log in there and confirm something. */
  "needs-confirmation": ["unauthorised", 459, 464, 1_404_078, 4_854_002],
  /** The token of a person, where a Page's is needed. */
  "page-token-needed": ["not-permitted", 2_069_032],
  /** Also 200 to 299. */
  permission: ["not-permitted", 10, 1_363_005, 1_363_042],
  /** Not offered to this application, or to anybody any more. */
  unsupported: ["rejected", 3, 2_069_030, 2_069_031, 2_069_033],
  /** Gone, or not to be seen with this token: both look the same. */
  gone: ["not-found", 33],
  /** Also 3001, which earlier versions say of metrics. */
  "bad-request": ["rejected", 100, 194, 3001],
  empty: ["rejected", 197],
  duplicate: ["rejected", 506],
  /** Not a video in a format that it knows. */
  format: ["rejected", 352, 1_363_031, 2_069_019],
  "too-small": ["rejected", 382, 1_363_022],
  "too-large": ["too-large", 1_363_023],
  /** The file did not arrive as it should, and will not. */
  file: ["rejected", 389, 390, 6000, 1_363_045],
  /** Against the platform's rules. */
  content: ["rejected", 1_346_003, 1_404_102],
  /** The session goes on at another place than was sent. */
  offset: ["rejected", 1_363_021, 1_363_037, 1_363_041],
  /** The session is over. */
  session: ["rejected", 6001, 1_363_020],
} as const satisfies Readonly<Record<string, readonly [ServiceErrorKind, ...number[]]>>;

export type VideoTrouble = keyof typeof TROUBLES;

const BY_CODE: ReadonlyMap<number, { readonly trouble: VideoTrouble; readonly kind: ServiceErrorKind }> =
  new Map(
    Object.entries(TROUBLES).flatMap(([trouble, [kind, ...codes]]) =>
      // The table's own keys.
      codes.map((code) => [code, { trouble: trouble as VideoTrouble, kind }] as const),
    ),
  );

const BY_STATUS: Readonly<Record<number, ServiceErrorKind>> = {
  401: "unauthorised",
  403: "not-permitted",
  404: "not-found",
  408: "timeout",
  410: "not-found",
  413: "too-large",
  429: "rate-limited",
};

/** A subcode says more than its code. `undefined` where neither is known: then only the status speaks. */
export function explainCode(code: number = 0, subcode: number = 0) {
  const isPermission = code >= 200 && code <= 299;
  const isSlowDown = code >= 80_000 && code <= 80_014;
  return BY_CODE.get(subcode) ?? BY_CODE.get(isPermission ? 10 : isSlowDown ? 4 : code);
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
