// Which way a publication may go. Every change of its state is checked here first.
import type { PublicationChanges, PublicationRecord, PublicationState } from "../publications-table.ts";
import { type PublicationProblem, formatProblem, parseSession } from "./problems.ts";

const NEXT: Readonly<Record<PublicationState, readonly PublicationState[]>> = {
  draft: ["awaiting-approval", "uploading", "cancelled", "expired"],
  "awaiting-approval": ["uploading", "refused", "cancelled", "expired"],
  // Back to approval: somebody changed what was approved.
  uploading: ["awaiting-approval", "processing", "failed", "cancelled", "expired", "outcome-unknown"],
  // Cancelled there, too, since the bot was removed from its server.
  processing: ["scheduled", "published", "failed", "cancelled", "deleted"],
  scheduled: ["published", "failed", "cancelled", "deleted"],
  published: ["deleted"],
  "outcome-unknown": ["processing", "uploading", "cancelled", "expired", "deleted"],
  // Sent again, by way of those who approve where it must be. What the service has of it may be deleted there.
  failed: ["uploading", "awaiting-approval", "deleted"],
  // Put right, and asked for once more.
  refused: ["awaiting-approval"],
  // The bot is back in the server.
  cancelled: ["uploading", "awaiting-approval"],
  expired: [],
  deleted: [],
};

export function mayFollow(from: PublicationState, to: PublicationState): boolean {
  return NEXT[from].includes(to);
}

/** Nothing more happens to these by themselves. */
const OVER: ReadonlySet<PublicationState> = new Set([
  "published",
  "refused",
  "failed",
  "cancelled",
  "expired",
  "outcome-unknown",
  "deleted",
]);

/** Whether it has come to an end: what follows, if anything, is a person's decision. */
export function isOver(state: PublicationState): boolean {
  return OVER.has(state);
}

/** The changes that bring a publication into another state and make it due at once. A forbidden transition is a bug. */
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
    // Nobody but its author has seen a draft.
    ...(state === "draft" && isOver(to) && { shownHash: NO_MESSAGE }),
    ...TROUBLE_RESET,
  };
}

/** In place of the hash of what a message shows: somebody deleted it, or it cannot be: there will be none. */
export const NO_MESSAGE = "unwanted";

/** Nothing prevents its progress. */
export const TROUBLE_RESET = {
  problem: undefined,
  troubleSinceMs: undefined,
  tries: 0,
  notBeforeMs: undefined,
} as const satisfies PublicationChanges;

// When work on a publication is next due for its own sake; its messages may need it sooner.

/** Milliseconds since the epoch; `undefined` if there is nothing left to do. */
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
      // What a server's return may bring back is kept as long as the server is remembered.
      return fileUrl === undefined || isStoppedByLeaving(record) ? leftovers : 0;
    case "published":
    case "expired":
    case "deleted":
      return fileUrl === undefined ? leftovers : 0;
  }
}

/** Whether the bot was removed from its server: once it is cancelled, it is kept to be published again. */
export function isStoppedByLeaving({ stopReason }: PublicationRecord): boolean {
  return stopReason === "left" || stopReason === "returned";
}

/** Whether what the service has of it is to be cancelled there; a server's own account is its own to look after. */
export function mustWithdraw(record: PublicationRecord): boolean {
  return record.account === "operator" && isStoppedByLeaving(record);
}

export function sendsBytes({ state, pendingWrite }: PublicationRecord): boolean {
  return state === "uploading" && pendingWrite === undefined;
}

/** Whether its file can no longer be had, and is still needed. */
export function isLinkExpired(record: PublicationRecord, nowMs: number): boolean {
  return record.linkEndsAtMs <= nowMs && parseSession(record)?.next !== "done";
}

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
    stopReason: stopReason === "cancelled" ? undefined : stopReason,
  };
}

/** It came to nothing. `mayRetry`: nothing was published for certain, so its file is kept to be sent again. */
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

/** What stops an upload; `undefined` where that is being done. */
export function stopUpload(
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
