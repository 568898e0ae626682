// What a failure on the way to a video comes to: whether it may have been published all the same, whether waiting helps,
// and what people read about it.
import { VideoRefusal } from "../client/refusal.ts";
import type { VideoTrouble } from "../client/error-codes.ts";
import { ServiceError, type ServiceErrorKind, UserError } from "../../core/errors.ts";
import type { PublicationChanges, PublicationRecord } from "../publications-table.ts";
import type { PublicationProblem } from "./publish.ts";
import { formatProblem, parseProblem } from "./stored-problem.ts";
import type { PublicationAuditEntry } from "./change-publication.ts";
import { enter } from "./states.ts";

/** What a failure comes to, where nothing was published. */
export type Verdict =
  /** It may work later; `waitMs` where somebody said when. */
  | { readonly verdict: "wait"; readonly waitMs: number | undefined; readonly problem: PublicationProblem }
  | { readonly verdict: "fail"; readonly problem: PublicationProblem }
  /** The link to its file has ended. */
  | { readonly verdict: "expired" }
  /** The service has forgotten the session: another one may do. */
  | { readonly verdict: "restart"; readonly problem: PublicationProblem }
  /** We stopped it. */
  | { readonly verdict: "stopped" };

const PASSING: ReadonlySet<ServiceErrorKind> = new Set(["unavailable", "timeout", "rate-limited"]);

/** The same file would be refused again. */
const PERMANENT: ReadonlySet<VideoTrouble | undefined> = new Set([
  "format",
  "too-small",
  "too-large",
  "content",
]);

/**
 * Whether a write that failed like this may have been done. A body that was cut short was not taken; what the service
 * refused in its own words was not done; of everything else nobody knows.
 */
export function isUnclear(error: unknown, write: PublicationRecord["pendingWrite"]): boolean {
  if (write === undefined || error instanceof UserError) {
    return false;
  }
  if (!(error instanceof ServiceError)) {
    return true;
  }
  if (error.service !== "video") {
    return error.service === "storage";
  }
  const { kind } = error;
  return (
    kind === "outcome-unknown" ||
    kind === "unexpected-answer" ||
    // Nobody sees how far a short request came; of a stream it is known.
    (kind === "aborted" && write === "finish") ||
    // It has said "not done" of things that were.
    (kind === "rejected" && !(error instanceof VideoRefusal))
  );
}

/** Judges a failure after which nothing was published for certain. */
export function judgeFailure(error: unknown): Verdict {
  const problem = problemOf(error);
  if (!(error instanceof ServiceError)) {
    return { verdict: "fail", problem };
  }
  if (problem.of === "discord" && error.kind === "not-found") {
    return { verdict: "expired" };
  }
  if (problem.trouble === "session") {
    return { verdict: "restart", problem };
  }
  if (error.kind === "aborted") {
    return { verdict: "stopped" };
  }
  const isPassing = PASSING.has(error.kind) || problem.trouble === "offset";
  return isPassing ? { verdict: "wait", waitMs: error.retryAfterMs, problem } : { verdict: "fail", problem };
}

/** What is stored and shown of a failure after which nothing was published for certain. */
export function problemOf(error: unknown): PublicationProblem {
  if (!(error instanceof ServiceError)) {
    return { of: "bug", kind: "bug", mayRetry: true };
  }
  const { kind, requestId } = error;
  const of = ownerOf(error.service);
  if (!(error instanceof VideoRefusal)) {
    return { of, kind, requestId, mayRetry: kind !== "too-large" };
  }
  const { trouble, permission, wordsForPeople: words } = error;
  return { of, kind, requestId, trouble, permission, words, mayRetry: !PERMANENT.has(trouble) };
}

function ownerOf(service: string): PublicationProblem["of"] {
  switch (service) {
    case "video":
    case "storage":
      return service;
    case "account":
      return "storage";
    case "discord":
    case "source":
      return "discord";
    default:
      return "bug";
  }
}

// The changes with which a row comes out of being sent.

/** Nothing is on its way any more, and nothing came of it. */
export const NOT_PENDING = {
  pendingWrite: undefined,
  pendingSinceMs: undefined,
  videoId: undefined,
} as const satisfies PublicationChanges;

/** In the history of a server that comes back. */
export const LEFT_NOTE = "I was removed from the server";

/** The service has it whole. That somebody wanted it stopped is remembered: it was too late. */
export function arrived(record: PublicationRecord, videoId: string, nowMs: number): PublicationChanges {
  return {
    ...enter(record, "processing", nowMs),
    doneBytes: record.sizeBytes,
    percent: undefined,
    pendingWrite: undefined,
    pendingSinceMs: undefined,
    session: undefined,
    videoId,
  };
}

/** Nothing is sent of it any more; where that is since the server has gone, its message says so. */
export function cancelled(
  record: PublicationRecord,
  nowMs: number,
  stopReason = record.stopReason,
): PublicationChanges {
  return {
    ...enter(record, "cancelled", nowMs),
    percent: undefined,
    stopReason: stopReason === "cancelled" ? undefined : stopReason,
  };
}

/** The audit entry of one that has come to its end by itself; `undefined` where it has not. */
export function endOf(after: PublicationRecord): PublicationAuditEntry | undefined {
  const { state } = after;
  switch (state) {
    case "published":
    case "scheduled":
    case "expired":
      return { act: state };
    case "cancelled": {
      return { act: state, ...(after.stopReason !== undefined && { note: LEFT_NOTE }) };
    }
    case "failed":
    case "outcome-unknown": {
      const problem = parseProblem(after);
      return { act: "failed", note: problem?.trouble ?? problem?.kind };
    }
    case "draft":
    case "awaiting-approval":
    case "uploading":
    case "processing":
    case "refused":
    case "deleted":
      return undefined;
  }
}

/** It came to nothing; the file is kept only where it may be sent again. */
export function failed(
  record: PublicationRecord,
  problem: PublicationProblem,
  nowMs: number,
): PublicationChanges {
  return {
    ...enter(record, "failed", nowMs),
    percent: undefined,
    problem: formatProblem(problem),
    ...(!problem.mayRetry && { fileUrl: undefined }),
  };
}

/** What stops an upload; `undefined` where that is being done. */
export function withoutUpload(
  record: PublicationRecord,
  nowMs: number,
  stopReason: "cancelled" | "left",
): PublicationChanges | undefined {
  if (record.pendingWrite === undefined) {
    return cancelled(record, nowMs, stopReason);
  }
  // The process that sends it can still cut it short, or learns its outcome.
  return record.stopReason === undefined ? { stopReason } : undefined;
}
