// The service's refusals. Their messages may repeat the token, so they are not stored.
import { z } from "zod";
import { cutLine } from "../../core/text.ts";
import { ServiceError, type ServiceErrorDetails, type ServiceErrorKind } from "../../core/errors.ts";
import { type HttpAnswer, parseRetryAfter } from "../../core/http.ts";
import { VIDEO } from "./account.ts";
import { amount, loose, looseAmount, looseFlag, parseJson, looseText } from "./read-values.ts";
import { readUsage } from "./rate-limiter.ts";

/** The bytes that an upload session wants next; `endByte` is exclusive. */
export interface UploadWindow {
  readonly startByte: number;
  readonly endByte?: number | undefined;
}

type RefusalDetails = Pick<VideoRefusal, "trouble" | "wordsForPeople" | "permission" | "resumeAt">;

/** The service answered and refused the request. Its codes are in the message, e.g. `answered 400, error 100/33`. */
export class VideoRefusal extends ServiceError {
  readonly trouble: VideoTrouble | undefined;
  /** The service's sentence for people, in its own language; without addresses and long words, which might be keys. */
  readonly wordsForPeople: string | undefined;
  /** The missing permission, if the service names it, e.g. `pages_manage_posts`. */
  readonly permission: string | undefined;
  /** Where the session must resume, for the trouble `offset`. */
  readonly resumeAt: UploadWindow | undefined;

  constructor(kind: ServiceErrorKind, message: string, details: ServiceErrorDetails & RefusalDetails) {
    super(VIDEO, kind, message, details);
    this.trouble = details.trouble;
    this.wordsForPeople = details.wordsForPeople;
    this.permission = details.permission;
    this.resumeAt = details.resumeAt;
  }
}

/** If the end does not lie after the start, we choose it. */
const offsets = z
  .object({ start_offset: amount, end_offset: looseAmount })
  .transform(({ start_offset: startByte, end_offset: end = 0 }) => ({
    startByte,
    endByte: end > startByte ? end : undefined,
  }));

const errorSchema = z.object({
  code: looseAmount,
  error_subcode: looseAmount,
  is_transient: looseFlag,
  message: looseText,
  error_user_msg: looseText,
  fbtrace_id: looseText,
  // The service sends it as an object, or as a string of JSON.
  error_data: loose(z.union([offsets, z.string().transform(parseJson).pipe(offsets)])),
});

/** An error counts however little it says: sometimes it is just one word. */
const oneWord = z
  .string()
  .min(1)
  .transform(() => errorSchema.parse({}));
const bodySchema = z.object({ error: loose(z.union([errorSchema, oneWord])) });

const PERMISSION =
  /\b(?:pages_\w+|read_insights|publish_video|video_upload|user_videos|business_management)\b/;
/** A block whose end the service does not say lasts for hours. */
const BLOCK_MS = 4 * 3_600_000;
/** Whatever the service says, another request may be sent after a day. */
const LONGEST_WAIT_MS = 24 * 3_600_000;

/** Returns the refusal that an answer contains, whatever its status; `undefined` if the request succeeded. */
export function findRefusal(answer: HttpAnswer, verb: string, nowMs: number): VideoRefusal | undefined {
  const { status, headers } = answer;
  const body = parseJson(new TextDecoder().decode(answer.bytes));
  const error = bodySchema.safeParse(body).data?.error;
  if (error === undefined && status >= 200 && status < 300) {
    return undefined;
  }
  const { code, error_subcode: subcode, is_transient: isTransient, error_data: place } = error ?? {};
  const meaning = explainCode(code, subcode);
  // A body with an error counts as an error even if the status is 200.
  const byStatus = kindOfStatus(error === undefined ? status : Math.max(status, 400), body !== undefined);
  const told = meaning?.kind ?? byStatus;
  const isBusy = isTransient === true && told === "rejected" && meaning?.trouble !== "offset";
  const kind = isBusy ? "unavailable" : told;
  const trouble = isBusy ? "busy" : meaning?.trouble;
  const codes = [code, subcode].filter((value) => value !== undefined).join("/");
  return new VideoRefusal(kind, `${verb}: answered ${status}${codes && `, error ${codes}`}`, {
    status,
    trouble,
    requestId: error?.fbtrace_id ?? headers["x-fb-trace-id"],
    retryAfterMs: readWait(headers, nowMs, kind) ?? (trouble === "blocked" ? BLOCK_MS : undefined),
    wordsForPeople: clean(error?.error_user_msg),
    permission: PERMISSION.exec(error?.message ?? "")?.[0],
    resumeAt: place,
  });
}

/** `undefined` if the headers do not say. */
function readWait(headers: HttpAnswer["headers"], nowMs: number, kind: ServiceErrorKind): number | undefined {
  const regainMs = kind === "rate-limited" ? readUsage(headers)?.regainMs : undefined;
  const told = [regainMs || undefined, parseRetryAfter(headers["retry-after"], nowMs)];
  const waits = told.filter((waitMs) => waitMs !== undefined);
  return waits.length === 0 ? undefined : Math.min(LONGEST_WAIT_MS, Math.max(...waits));
}

const LONGEST_WORDS = 300;

/** Returns the text on one line, without addresses and anything that could be a key. */
function clean(words: string | undefined): string | undefined {
  const line = words?.replace(/\w+:\/\/\S+|\S{32,}/g, "…").replace(/[\p{C}\s]+/gu, " ");
  return line === undefined ? undefined : cutLine(line, LONGEST_WORDS);
}

// The meanings of the service's error codes. Its error types and messages are no help: throttling has the same ones as
// a dead token. https://developers.facebook.com/docs/graph-api/guides/error-handling

/**
 * Each says more precisely than a kind what a person can do. First its kind, then its codes and subcodes. Its sentence is in
 * video-problem-words.ts; problems.ts names those for which another attempt is useless.
 */
export const TROUBLES = {
  /** Temporary: the same request may succeed later. */
  busy: ["unavailable", 1, 2, 1_363_019, 1_363_030, 1_363_033, 1_363_047, 1_609_010],
  /** Also 80000 to 80014. */
  "slow-down": ["rate-limited", 4, 17, 32, 341, 613],
  /** The account is barred from acting for hours. */
  blocked: ["rate-limited", 368, 1_390_008],
  /** The token has expired or was never valid: the account must be linked again. */
  "token-dead": ["unauthorised", 102, 190],
  /** The account's owner must first log in to the service and confirm something. */
  "needs-confirmation": ["unauthorised", 459, 464, 1_404_078, 4_854_002],
  /** A person's token was used where a Page's is needed. */
  "page-token-needed": ["not-permitted", 2_069_032],
  /** Also 200 to 299. */
  permission: ["not-permitted", 10, 1_363_005, 1_363_042],
  /** The service does not offer this to the application, or no longer offers it at all. */
  unsupported: ["rejected", 3, 12, 2_069_030, 2_069_031, 2_069_033],
  /** Deleted, or not visible with this token: the service answers the same to both. */
  gone: ["not-found", 33],
  /** 3001 is what earlier versions say about metrics. */
  "bad-request": ["rejected", 100, 194, 3001],
  empty: ["rejected", 197],
  duplicate: ["rejected", 506],
  format: ["rejected", 352, 1_363_031, 2_069_019],
  "too-small": ["rejected", 382, 1_363_022],
  "too-large": ["too-large", 1_363_023],
  /** The file arrived damaged; sending it again would not help. */
  file: ["rejected", 389, 390, 6000, 1_363_045],
  /** The content breaks the platform's rules. */
  content: ["rejected", 1_346_003, 1_404_102],
  /** The session must resume at another offset than the one that was sent. */
  offset: ["rejected", 1_363_021, 1_363_037, 1_363_041],
  /** The session has ended. */
  session: ["rejected", 6001, 1_363_020],
} as const satisfies Readonly<Record<string, readonly [ServiceErrorKind, ...number[]]>>;

export type VideoTrouble = keyof typeof TROUBLES;

const BY_CODE: ReadonlyMap<number, { readonly trouble: VideoTrouble; readonly kind: ServiceErrorKind }> =
  new Map(
    Object.entries(TROUBLES).flatMap(([trouble, [kind, ...codes]]) =>
      // The keys are those of the table above.
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

/** A subcode takes precedence over its code. `undefined` if neither is known: then the status decides. */
function explainCode(code: number = 0, subcode: number = 0) {
  const isPermission = code >= 200 && code <= 299;
  const isSlowDown = code >= 80_000 && code <= 80_014;
  return BY_CODE.get(subcode) ?? BY_CODE.get(isPermission ? 10 : isSlowDown ? 4 : code);
}

/** The service's own 400 contains a readable error. Without one, nothing is known about the request. */
function kindOfStatus(status: number, isReadable: boolean): ServiceErrorKind {
  if (status >= 500) {
    return "unavailable";
  }
  if (status < 400 || (status === 400 && !isReadable)) {
    return "unexpected-answer";
  }
  return BY_STATUS[status] ?? "rejected";
}
