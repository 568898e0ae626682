// The changes with which a row comes out of being sent.
import type { PublicationChanges, PublicationRecord } from "../../storage/publications-table.ts";
import { formatProblem, type KeptProblem, lasting, parseProblem } from "./kept-problem.ts";
import type { PublicationProblem } from "./publish.ts";
import type { RowAct } from "./alter-publication.ts";
import { enter } from "./states.ts";

/** Nothing is on its way any more, and nothing came of it. */
export const NOT_PENDING = {
  pendingWrite: undefined,
  pendingSinceMs: undefined,
  videoId: undefined,
} as const satisfies PublicationChanges;

/** In the history of a server that comes back. */
export const LEFT_NOTE = "I was removed from the server";

/**
 * The service has it whole. That somebody wanted it stopped is remembered: it was too late. Where that is since the
 * server has gone, its publication can still be put off.
 */
export function arrived(record: PublicationRecord, videoId: string, nowMs: number): PublicationChanges {
  const { state, account, publishAtMs = 0 } = record;
  const kept = lasting(record);
  const hasLeft = state === "uploading" && kept.isStopping === "left";
  const isToCome = account === "operator" && publishAtMs > nowMs;
  return {
    ...enter(record, "processing", nowMs),
    doneBytes: record.sizeBytes,
    percent: undefined,
    pendingWrite: undefined,
    pendingSinceMs: undefined,
    session: undefined,
    problem: formatProblem({ ...kept, ...(hasLeft && isToCome && { away: "leaving" }) }),
    videoId,
  };
}

/** Nothing is sent of it any more; where that is since the server has gone, its message says so. */
export function cancelled(record: PublicationRecord, nowMs: number): PublicationChanges {
  const { isStopping } = parseProblem(record);
  const problem = isStopping === "left" ? formatProblem({ isStopping }) : undefined;
  return { ...enter(record, "cancelled", nowMs), problem };
}

/** What is written down of one that has come to its end by itself; `undefined` where it has not. */
export function endOf(after: PublicationRecord): RowAct | undefined {
  const { state } = after;
  switch (state) {
    case "published":
    case "scheduled":
    case "expired":
      return { act: state };
    case "cancelled": {
      const hasLeft = parseProblem(after).isStopping === "left";
      return { act: state, ...(hasLeft && { note: LEFT_NOTE }) };
    }
    case "failed":
    case "outcome-unknown": {
      const { problem } = parseProblem(after);
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
    problem: formatProblem({ problem }),
    ...(!problem.mayRetry && { fileUrl: undefined }),
  };
}

/** What stops an upload; `undefined` where that is being done. */
export function withoutUpload(
  record: PublicationRecord,
  nowMs: number,
  isStopping: NonNullable<KeptProblem["isStopping"]>,
): PublicationChanges | undefined {
  const kept = parseProblem(record);
  const problem = formatProblem({ ...kept, isStopping });
  if (record.pendingWrite === undefined) {
    return cancelled({ ...record, problem }, nowMs);
  }
  // Whoever sends it can still cut it short, or learns what became of it.
  return kept.isStopping === undefined ? { problem } : undefined;
}
