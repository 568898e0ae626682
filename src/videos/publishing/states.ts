// The states of a publication and the transitions between them. Every change of state is checked here first.
import type { PublicationChanges, PublicationRecord, PublicationState } from "../publications-table.ts";
import { type PublicationProblem, formatProblem, parseSession } from "./problems.ts";

const NEXT: Readonly<Record<PublicationState, readonly PublicationState[]>> = {
  draft: ["awaiting-approval", "uploading", "cancelled", "expired"],
  "awaiting-approval": ["uploading", "refused", "cancelled", "expired"],
  // Back to approval, if somebody changed what was approved.
  uploading: ["awaiting-approval", "processing", "failed", "cancelled", "expired", "outcome-unknown"],
  // Cancelled, if the bot was removed from the server and the video was deleted at the service.
  processing: ["scheduled", "published", "failed", "cancelled", "deleted"],
  scheduled: ["published", "failed", "cancelled", "deleted"],
  published: ["deleted"],
  "outcome-unknown": ["processing", "uploading", "cancelled", "expired", "deleted"],
  // Sent again, through approval if the server requires it; or deleted, if the service has something of it.
  failed: ["uploading", "awaiting-approval", "deleted"],
  // Edited and submitted for approval once more.
  refused: ["awaiting-approval"],
  // The bot is back in the server, and somebody publishes it again.
  cancelled: ["uploading", "awaiting-approval"],
  expired: [],
  deleted: [],
};

export function mayFollow(from: PublicationState, to: PublicationState): boolean {
  return NEXT[from].includes(to);
}

/** States that do not change automatically. */
const OVER: ReadonlySet<PublicationState> = new Set([
  "published",
  "refused",
  "failed",
  "cancelled",
  "expired",
  "outcome-unknown",
  "deleted",
]);

/** Whether the state is final, unless a person acts. */
export function isOver(state: PublicationState): boolean {
  return OVER.has(state);
}

/**
 * Returns the changes that bring a publication into another state and make it due at once. Throws if the transition is
 * not allowed, which is a bug.
 */
export function enter(
  { state }: Pick<PublicationRecord, "state">,
  to: PublicationState,
  nowMs: number,
): PublicationChanges {
  if (!mayFollow(state, to)) {
    throw new Error(`a publication cannot go from ${state} to ${to}`);
  }
  return {
    state: to,
    stateAtMs: nowMs,
    nextAtMs: nowMs,
    percent: undefined,
    // Sending it again cancels an earlier request to stop.
    ...((to === "uploading" || to === "awaiting-approval") && { stopReason: undefined }),
    // Nobody but its author has seen a draft, so it gets no public message.
    ...(state === "draft" && isOver(to) && { shownHash: NO_MESSAGE }),
    ...TROUBLE_RESET,
  };
}

/**
 * Stored instead of the hash of a message: somebody deleted the message, or it cannot be posted, so there will be none.
 */
export const NO_MESSAGE = "unwanted";

/** Clears the problem, the time since when it has lasted, the count of attempts and the waiting time. */
export const TROUBLE_RESET = {
  problem: undefined,
  troubleSinceMs: undefined,
  tries: 0,
  notBeforeMs: undefined,
} as const satisfies PublicationChanges;

// The time when work on the publication itself is due. Its messages may need an update sooner.

/** Returns milliseconds since the epoch; `undefined` if there is nothing left to do. */
export function dueAt(record: PublicationRecord): number | undefined {
  const { state, linkEndsAtMs, fileUrl, session, publishAtMs = 0, notBeforeMs = 0 } = record;
  const leftovers = session === undefined ? undefined : 0;
  switch (state) {
    case "draft":
    case "awaiting-approval":
      return linkEndsAtMs;
    case "uploading":
    case "processing":
      return notBeforeMs;
    case "scheduled":
      return mustWithdraw(record) ? notBeforeMs : Math.max(publishAtMs, notBeforeMs);
    case "failed":
    case "refused":
      return fileUrl === undefined ? leftovers : linkEndsAtMs;
    case "outcome-unknown":
      return fileUrl === undefined ? undefined : linkEndsAtMs;
    case "cancelled":
      // The file's link is kept in case the bot returns to the server, for as long as the server's data is stored.
      return fileUrl === undefined || isStoppedByLeaving(record) ? leftovers : 0;
    case "published":
    case "expired":
    case "deleted":
      return fileUrl === undefined ? leftovers : 0;
  }
}

/**
 * Whether it is stopped because the bot was removed from its server. Once cancelled, it is kept so that it can be
 * published again.
 */
export function isStoppedByLeaving({ stopReason }: PublicationRecord): boolean {
  return stopReason === "left" || stopReason === "returned";
}

/** Whether the bot must cancel it at the service, too. In a server's own account that is the server's responsibility. */
export function mustWithdraw(record: PublicationRecord): boolean {
  return record.account === "operator" && isStoppedByLeaving(record);
}

export function sendsBytes({ state, pendingWrite }: PublicationRecord): boolean {
  return state === "uploading" && pendingWrite === undefined;
}

/** Whether the link to its file has expired while the file is still needed. */
export function isLinkExpired(record: PublicationRecord, nowMs: number): boolean {
  return record.linkEndsAtMs <= nowMs && parseSession(record)?.next !== "done";
}

/** No write is pending any more, and none produced a video. */
export const NOT_PENDING = {
  pendingWrite: undefined,
  pendingSinceMs: undefined,
  videoId: undefined,
} as const satisfies PublicationChanges;

/**
 * Returns the changes for a publication that the service has received completely. A request to stop it stays recorded:
 * it came too late.
 */
export function arrived(record: PublicationRecord, videoId: string, nowMs: number): PublicationChanges {
  return {
    ...enter(record, "processing", nowMs),
    doneBytes: record.sizeBytes,
    pendingWrite: undefined,
    pendingSinceMs: undefined,
    session: undefined,
    videoId,
  };
}

/**
 * Returns the changes for a cancelled publication. If it was stopped because the bot left the server, its message says
 * so.
 */
export function cancelled(
  record: PublicationRecord,
  nowMs: number,
  stopReason = record.stopReason,
): PublicationChanges {
  return {
    ...enter(record, "cancelled", nowMs),
    stopReason: stopReason === "cancelled" ? undefined : stopReason,
  };
}

/**
 * Returns the changes for a failed publication. `mayRetry`: certainly nothing was published, so the file's link is kept
 * to send it again.
 */
export function failed(
  record: PublicationRecord,
  problem: PublicationProblem,
  nowMs: number,
  mayRetry: boolean,
): PublicationChanges {
  return {
    ...enter(record, "failed", nowMs),
    problem: formatProblem(problem),
    ...(!mayRetry && { fileUrl: undefined }),
  };
}

/** Returns the changes that stop an upload; `undefined` if it is already being stopped. */
export function stopUpload(
  record: PublicationRecord,
  nowMs: number,
  stopReason: "cancelled" | "left",
): PublicationChanges | undefined {
  if (record.pendingWrite === undefined) {
    return cancelled(record, nowMs, stopReason);
  }
  // The process that sends the file can still break off, or will learn the outcome.
  return record.stopReason === undefined ? { stopReason } : undefined;
}
