// Reads an answer with a good status, in whatever shape it comes: a picture, where one is, a job, or a failure.
import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import type { HttpAnswer } from "../../core/http-types.ts";
import { parseJsonAnswer } from "../../core/json.ts";
import { describeKeys, listFrames } from "./answer-fields.ts";
import { failureOf, findFailure } from "./find-failure.ts";
import { findJobLinks, findJobProgress, hasJobId, type JobLinks, type JobProgress } from "./find-job.ts";
import { findPicture, type FoundPicture } from "./find-picture.ts";
import { isPicture } from "./picture-bytes.ts";
import { STYLE } from "./refusal.ts";
import { readStages } from "./status-words.ts";

/** An answer without a picture that is no failure either. */
export interface UnfinishedAnswer extends JobProgress {
  readonly kind: "unfinished";
  /** Whether it speaks of a job at all: an id, a word for work under way, or an address to ask at. */
  readonly isJob: boolean;
  /** It says that the work is done, so the result must be elsewhere. */
  readonly isDone: boolean;
  readonly links: JobLinks;
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
