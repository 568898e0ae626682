// Reads an answer with a good status, in whatever shape it comes: a picture, where one is, a job, or a failure.
import { z } from "zod";
import { ServiceError, type ServiceErrorKind } from "../../core/errors.ts";
import type { HttpAnswer } from "../../core/http-types.ts";
import { parseJsonAnswer } from "../../core/json.ts";
import {
  type Fields,
  describeKeys,
  firstField,
  isFields,
  listFrames,
  readNumber,
  readText,
} from "./answer-fields.ts";
import {
  type FoundPicture,
  type Stage,
  findPicture,
  isBad,
  isPicture,
  readLink,
  readStage,
  readStages,
} from "./find-picture.ts";
import { STYLE, isAboutPicture, kindOf, listTexts, quote } from "./refusal.ts";

/** An answer without a picture that is no failure either. */
export interface UnfinishedAnswer extends ReturnType<typeof findJobProgress> {
  readonly kind: "unfinished";
  /** Whether it speaks of a job at all: an id, a word for work under way, or an address to ask at. */
  readonly isJob: boolean;
  /** It says that the work is done, so the result must be elsewhere. */
  readonly isDone: boolean;
  readonly links: ReturnType<typeof findJobLinks>;
  /** What it looks like, for an error: the names of its fields. */
  readonly shape: string;
}

export type StyleAnswer = FoundPicture | UnfinishedAnswer;

/** Throws ServiceError: `unexpected-answer` for what is neither picture nor JSON, and the kind of a stated failure. */
export function readStyleAnswer(answer: HttpAnswer, baseUrl: URL): StyleAnswer {
  if (isPicture(answer.bytes)) {
    return { kind: "picture", bytes: answer.bytes };
  }
  const body = parseJsonAnswer(STYLE, answer, z.unknown());
  const frames = listFrames(body);
  const failure = findFailure(frames);
  if (failure !== undefined) {
    throw failure;
  }
  const stages = new Set(frames.flatMap(readStages));
  const isRunning = stages.has("running");
  const { found, withheld } = findPicture(body, { baseUrl, isRunning });
  if (found !== undefined) {
    return found;
  }
  if (withheld !== undefined) {
    throw failureOf(withheld, frames);
  }
  const links = findJobLinks(frames, answer.headers, baseUrl);
  return {
    kind: "unfinished",
    isJob: isRunning || hasJobId(frames) || links.pollUrl !== undefined,
    isDone: !isRunning && stages.has("done"),
    links,
    ...findJobProgress(frames),
    shape: describeKeys(body),
  };
}

/** The failure of an answer that should have held a picture or a job that can be followed. */
export function unexpectedShape({ shape, isJob, links }: UnfinishedAnswer): ServiceError {
  const lack = isJob && links.pollUrl === undefined ? "a job without an address to ask at" : "no picture";
  return new ServiceError(STYLE, "unexpected-answer", `${lack} in ${shape}`);
}

// Finds a failure that comes with a good status.

const ERROR_KEYS = ["error", "err", "errors"] as const;
const CODE_KEYS = ["code", "error_code", "statusCode", "status_code"] as const;

/** The failure that an answer states; `undefined` where it states none. A warning is none. */
function findFailure(frames: readonly Fields[]): ServiceError | undefined {
  const [top] = frames;
  if (top === undefined) {
    return undefined;
  }
  const stage = frames.flatMap(readStages).find(isBad);
  const isStated =
    stage !== undefined ||
    frames.some((frame) => ERROR_KEYS.some((key) => !isEmpty(frame[key]))) ||
    CODE_KEYS.some((key) => !isGoodCode(top[key])) ||
    (readNumber(top["status"]) ?? 0) >= 400 ||
    top["success"] === false;
  return isStated ? failureOf(stage, frames) : undefined;
}

/** The failure that a status word stands for, with whatever else is said about it. */
function failureOf(stage: Stage | undefined, frames: readonly Fields[]): ServiceError {
  const texts = frames.flatMap((frame) => listTexts(frame));
  const kind = kindOfFailure(stage, frames[0], texts.join("\n"));
  return new ServiceError(STYLE, kind, `failed with a good status${quote(texts)}`, { status: 200 });
}

function kindOfFailure(stage: Stage | undefined, top: Fields | undefined, text: string): ServiceErrorKind {
  if (stage === "refused") {
    return "rejected";
  }
  // Some services write the status that they do not send.
  const code = [...CODE_KEYS, "status"].map((key) => readNumber(top?.[key]) ?? 0).find(isErrorStatus);
  const kind = kindOf(code ?? 200, text);
  // Something broke there, without a word about the picture: the same one may well go through next time.
  return stage === "failed" && kind === "rejected" && !isAboutPicture(text) ? "unavailable" : kind;
}

function isErrorStatus(code: number): boolean {
  return code >= 400 && code < 600;
}

/** Services write out what did not happen, e.g. `"error":null`, `"errors":[]`, `"error":{"code":0,"message":""}`. */
function isEmpty(value: unknown): boolean {
  return isFields(value) ? Object.values(value).every(isBlank) : isBlank(value);
}

function isBlank(value: unknown): boolean {
  return (
    !value ||
    (typeof value === "string" && value.trim() === "") ||
    (Array.isArray(value) && value.length === 0)
  );
}

function isGoodCode(value: unknown): boolean {
  const code = readNumber(value);
  return code === undefined
    ? isBlank(value) || ["done", "running"].includes(readStage(value) ?? "")
    : code === 0 || (code >= 200 && code < 300);
}

// Finds what an answer says of work that is still going on.

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
function hasJobId(frames: readonly Fields[]): boolean {
  return firstField(frames, ID_KEYS, readId) !== undefined || typeof frames[0]?.["data"] === "number";
}

/** The addresses that an answer names, in its body or in `Location`. */
function findJobLinks(frames: readonly Fields[], headers: HttpAnswer["headers"], baseUrl: URL) {
  const link = (value: unknown): URL | undefined => readLink(value, baseUrl);
  const urls = frames.flatMap(({ urls: inside }) => (isFields(inside) ? [inside] : []));
  const resultUrl = firstField(frames, ["response_url", "result_url"], link);
  const pollUrl =
    firstField(urls, ["get"], link) ??
    firstField(frames, ["status_url", "poll_url", "polling_url"], link) ??
    link(headers["location"]) ??
    resultUrl;
  const cancelUrl = firstField(urls, ["cancel"], link) ?? firstField(frames, ["cancel_url"], link);
  return {
    /** `undefined` where the answer names none: then it cannot be followed, for no path is guessed. */
    pollUrl,
    /** Where the result will be, if that is another place. */
    resultUrl: resultUrl?.href === pollUrl?.href ? undefined : resultUrl,
    cancelUrl,
  };
}

function findJobProgress(frames: readonly Fields[]) {
  const percent = firstField(frames, ["percentage", "percent"], readNumber);
  const progress = firstField(frames, ["progress"], readNumber);
  // `progress` is a share at some and a percentage at others: 1 and less is a share.
  const share =
    percent === undefined ? progress && (progress > 1 ? progress / 100 : progress) : percent / 100;
  const position = firstField(frames, ["queue_position", "waitNumber", "position"], readNumber);
  return {
    /** 0 to 1. */
    share: share === undefined ? undefined : Math.min(1, Math.max(0, share)),
    /** Place in the queue. */
    position: position !== undefined && Number.isInteger(position) && position >= 0 ? position : undefined,
  };
}

function readId(value: unknown): string | undefined {
  return typeof value === "number" ? String(value) : readText(value);
}
