// The changes with which a row comes out of being sent.
import type { PublicationChanges, PublicationRecord } from "../../storage/publications-table.ts";
import { formatProblem, parseProblem } from "./kept-problem.ts";
import type { PublicationProblem } from "./publish.ts";
import { enter } from "./states.ts";

/** Nothing is on its way any more, and nothing came of it. */
export const NOT_PENDING = {
  pendingWrite: undefined,
  pendingSinceMs: undefined,
  videoId: undefined,
} as const satisfies PublicationChanges;

/** The service has it whole. That somebody wanted it stopped is remembered: it was too late. */
export function arrived(record: PublicationRecord, videoId: string, nowMs: number): PublicationChanges {
  return {
    ...enter(record, "processing", nowMs),
    doneBytes: record.sizeBytes,
    percent: undefined,
    pendingWrite: undefined,
    pendingSinceMs: undefined,
    session: undefined,
    problem: formatProblem({ isStopping: parseProblem(record).isStopping }),
    videoId,
  };
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
