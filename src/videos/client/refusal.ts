// What the service says when it refuses. Its messages may repeat the token: they are not kept.
import { z } from "zod";
import { cutLine } from "../../core/text.ts";
import { ServiceError, type ServiceErrorDetails, type ServiceErrorKind } from "../../core/errors.ts";
import { type HttpAnswer, parseRetryAfter } from "../../core/http.ts";
import { VIDEO } from "./who-am-i.ts";
import { amount, count, flag, parseJson, text } from "./read-values.ts";
import { type VideoTrouble, explainCode, kindOfStatus } from "./error-codes.ts";
import { readUsage } from "./rate-limiter.ts";

/** Where an upload session goes on, in bytes; the end is not part of it. */
export interface UploadWindow {
  readonly startByte: number;
  /** `undefined` where the service leaves it to us. */
  readonly endByte?: number | undefined;
}

type RefusalDetails = Pick<VideoRefusal, "trouble" | "wordsForPeople" | "permission" | "goOnAt">;

/** The service answered, and said no. Its codes are in the message, e.g. `answered 400, error 100/33`. */
export class VideoRefusal extends ServiceError {
  readonly trouble: VideoTrouble | undefined;
  /** The service's sentence for people, in its own language; without addresses and long words. */
  readonly wordsForPeople: string | undefined;
  /** The name of the permission that is missing, where it says so, e.g. `pages_manage_posts`. */
  readonly permission: string | undefined;
  /** Where the session stands, for the trouble `offset`. */
  readonly goOnAt: UploadWindow | undefined;

  constructor(kind: ServiceErrorKind, message: string, details: ServiceErrorDetails & RefusalDetails) {
    super(VIDEO, kind, message, details);
    this.trouble = details.trouble;
    this.wordsForPeople = details.wordsForPeople;
    this.permission = details.permission;
    this.goOnAt = details.goOnAt;
  }
}

/** An end that is no end is ours to choose. */
const offsets = z
  .object({ start_offset: amount, end_offset: count })
  .transform(({ start_offset: startByte, end_offset: end = 0 }) => ({
    startByte,
    endByte: end > startByte ? end : undefined,
  }));

const errorSchema = z.object({
  code: count,
  error_subcode: count,
  is_transient: flag,
  message: text,
  error_user_msg: text,
  fbtrace_id: text,
  // Seen as an object, and as JSON in a text.
  error_data: z
    .union([offsets, z.string().transform(parseJson).pipe(offsets)])
    .optional()
    .catch(undefined),
});

/** An error is one however little it says: some say only a word. */
const bodySchema = z.object({
  error: z.union([
    errorSchema,
    z
      .string()
      .min(1)
      .transform(() => errorSchema.parse({})),
  ]),
});

const PERMISSION =
  /\b(?:pages_\w+|read_insights|publish_video|video_upload|user_videos|business_management)\b/;
/** A block without a known end lasts hours. */
const BLOCK_MS = 4 * 3_600_000;
/** Whatever is said: after a day it may be asked again. */
const LONGEST_WAIT_MS = 24 * 3_600_000;

/** The refusal that an answer is, whatever its status; `undefined` for a good one. */
export function findRefusal(answer: HttpAnswer, verb: string, nowMs: number): VideoRefusal | undefined {
  const { status, headers } = answer;
  const body = parseJson(new TextDecoder().decode(answer.bytes));
  const error = bodySchema.safeParse(body).data?.error;
  if (error === undefined && status >= 200 && status < 300) {
    return undefined;
  }
  const { code, error_subcode: subcode, is_transient: isTransient, error_data: place } = error ?? {};
  const meaning = explainCode(code, subcode);
  // An error inside a good status is an error all the same.
  const byStatus = kindOfStatus(error === undefined ? status : Math.max(status, 400), body !== undefined);
  const told = meaning?.kind ?? byStatus;
  const isPassing = isTransient === true && told === "rejected" && meaning?.trouble !== "offset";
  const kind = isPassing ? "unavailable" : told;
  const trouble = isPassing ? "busy" : meaning?.trouble;
  const codes = [code, subcode].filter((value) => value !== undefined).join("/");
  return new VideoRefusal(kind, `${verb}: answered ${status}${codes && `, error ${codes}`}`, {
    status,
    trouble,
    requestId: error?.fbtrace_id ?? headers["x-fb-trace-id"],
    retryAfterMs: readWait(headers, nowMs, kind) ?? (trouble === "blocked" ? BLOCK_MS : undefined),
    wordsForPeople: clean(error?.error_user_msg),
    permission: PERMISSION.exec(error?.message ?? "")?.[0],
    goOnAt: place,
  });
}

/** How long to leave it alone, as its headers say; `undefined` where they do not. */
function readWait(headers: HttpAnswer["headers"], nowMs: number, kind: ServiceErrorKind): number | undefined {
  const regainMs = kind === "rate-limited" ? readUsage(headers)?.regainMs : undefined;
  const told = [regainMs || undefined, parseRetryAfter(headers["retry-after"], nowMs)];
  const waits = told.filter((waitMs) => waitMs !== undefined);
  return waits.length === 0 ? undefined : Math.min(LONGEST_WAIT_MS, Math.max(...waits));
}

const LONGEST_WORDS = 300;

/** On one line, without addresses and without anything that could be a key. */
function clean(words: string | undefined): string | undefined {
  const line = words?.replace(/\w+:\/\/\S+|\S{32,}/g, "…").replace(/[\p{C}\s]+/gu, " ");
  return line === undefined ? undefined : cutLine(line, LONGEST_WORDS);
}
