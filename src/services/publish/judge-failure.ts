// What a failure on the way to a video comes to: whether it may have been published all the same, whether waiting helps,
// and what people are told.
import { VideoRefusal } from "../../clients/video/refusal.ts";
import type { VideoTrouble } from "../../clients/video/error-codes.ts";
import { ServiceError, type ServiceErrorKind, UserError } from "../../core/errors.ts";
import type { PublicationRecord } from "../../storage/publications-table.ts";
import type { PublicationProblem } from "./publish.ts";

/** What a failure comes to, where nothing was published. */
export type Verdict =
  /** It may work later; `waitMs` where somebody said when. */
  | { readonly verdict: "wait"; readonly waitMs: number | undefined; readonly problem: PublicationProblem }
  | { readonly verdict: "fail"; readonly problem: PublicationProblem }
  /** The link to its file has ended. */
  | { readonly verdict: "expired" }
  /** The service has forgotten the session: another one may do. */
  | { readonly verdict: "anew"; readonly problem: PublicationProblem }
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
    return { verdict: "anew", problem };
  }
  if (error.kind === "aborted") {
    return { verdict: "stopped" };
  }
  const isPassing = PASSING.has(error.kind) || problem.trouble === "offset";
  return isPassing ? { verdict: "wait", waitMs: error.retryAfterMs, problem } : { verdict: "fail", problem };
}

/** What is kept and told of a failure after which nothing was published for certain. */
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
