// Finds what an answer says of work that is still going on.
import type { HttpAnswer } from "../../core/http-types.ts";
import { type Fields, firstField, isFields, readNumber, readText } from "./answer-fields.ts";
import { readLink } from "./find-picture.ts";

/** Where a job can be asked after. */
export interface JobLinks {
  /** `undefined` where the answer names none: then it cannot be followed, for no path is guessed. */
  readonly pollUrl: URL | undefined;
  /** Where the result will be, if that is another place. */
  readonly resultUrl: URL | undefined;
  readonly cancelUrl: URL | undefined;
}

/** How far a job is. */
export interface JobProgress {
  /** 0 to 1. */
  readonly share: number | undefined;
  /** Place in the queue. */
  readonly position: number | undefined;
}

const ID_KEYS = [
  "id",
  "request_id",
  "requestId",
  "task_id",
  "taskId",
  "job_id",
  "jobId",
  "submissionId",
  "filterjob_id",
  "transaction_id",
] as const;

/** Whether an answer names a job: an id, or a number where the result would be. */
export function hasJobId(frames: readonly Fields[]): boolean {
  return firstField(frames, ID_KEYS, readId) !== undefined || typeof frames[0]?.["data"] === "number";
}

/** The addresses that an answer names, in its body or in `Location`. */
export function findJobLinks(
  frames: readonly Fields[],
  headers: HttpAnswer["headers"],
  baseUrl: URL,
): JobLinks {
  const link = (value: unknown): URL | undefined => readLink(value, baseUrl);
  const urls = frames.flatMap(({ urls: inside }) => (isFields(inside) ? [inside] : []));
  const resultUrl = firstField(frames, ["response_url", "result_url"], link);
  const pollUrl =
    firstField(urls, ["get"], link) ??
    firstField(frames, ["status_url", "poll_url", "polling_url"], link) ??
    link(headers["location"]) ??
    resultUrl;
  const cancelUrl = firstField(urls, ["cancel"], link) ?? firstField(frames, ["cancel_url"], link);
  return { pollUrl, resultUrl: resultUrl?.href === pollUrl?.href ? undefined : resultUrl, cancelUrl };
}

/** How far the job says it is. */
export function findJobProgress(frames: readonly Fields[]): JobProgress {
  const percent = firstField(frames, ["percentage", "percent"], readNumber);
  const progress = firstField(frames, ["progress"], readNumber);
  // `progress` is a share at some and a percentage at others: 1 and less is a share.
  const share =
    percent === undefined ? progress && (progress > 1 ? progress / 100 : progress) : percent / 100;
  const position = firstField(frames, ["queue_position", "waitNumber", "position"], readNumber);
  return {
    share: share === undefined ? undefined : Math.min(1, Math.max(0, share)),
    position: position !== undefined && Number.isInteger(position) && position >= 0 ? position : undefined,
  };
}

function readId(value: unknown): string | undefined {
  return typeof value === "number" ? String(value) : readText(value);
}
