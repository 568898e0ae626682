// Every change of state is checked here first.
import type { PublicationChanges, PublicationRecord, PublicationState } from "../publications-table.ts";
import { type PublicationProblem, formatProblem, parseSession } from "./problems.ts";

const NEXT: Readonly<Record<PublicationState, readonly PublicationState[]>> = {
  draft: ["awaiting-approval", "uploading", "cancelled", "expired"],
  "awaiting-approval": ["uploading", "refused", "cancelled", "expired"],
  // Back to approval, if somebody changed what was approved.
  uploading: ["awaiting-approval", "processing", "failed", "cancelled", "expired", "outcome-unknown"],
  // Cancelled, if the bot was removed from the server and the video was deleted from the service.
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

/** Changes its state and makes it due immediately. Throws if the transition is not allowed, which is a bug. */
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
    ...(state === "draft" && isOver(to) && { shownHash: MESSAGE_UNWANTED }),
    ...TROUBLE_RESET,
  };
}

/** Stored instead of a message's hash: somebody deleted the message, or it cannot be posted. */
export const MESSAGE_UNWANTED = "unwanted";

export const TROUBLE_RESET = {
  problem: undefined,
  troubleSinceMs: undefined,
  tries: 0,
  notBeforeMs: undefined,
} as const satisfies PublicationChanges;

// When work on the publication itself is due. Its messages may need an update sooner.

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
      // The file's link is kept in case the bot returns to the server, for as long as the server's data is stored.
      return fileUrl === undefined || isStoppedByLeaving(record) ? leftovers : 0;
    case "published":
    case "expired":
    case "deleted":
      return fileUrl === undefined ? leftovers : 0;
  }
}

/** Once cancelled, it is kept so that it can be published again. */
export function isStoppedByLeaving({ stopReason }: PublicationRecord): boolean {
  return stopReason === "left" || stopReason === "returned";
}

/** In a server's own account that is the server's responsibility. */
export function mustWithdraw(record: PublicationRecord): boolean {
  return record.account === "operator" && isStoppedByLeaving(record);
}

/** Whether people may have the publication sent again. Its file's link is kept as long as they may. */
export function maySendAgain({ state, stopReason, fileUrl }: PublicationRecord): boolean {
  return (
    fileUrl !== undefined && (state === "failed" || (state === "cancelled" && stopReason === "returned"))
  );
}

export function sendsBytes({ state, pendingWrite }: PublicationRecord): boolean {
  return state === "uploading" && pendingWrite === undefined;
}

/** `false` if the file is no longer needed. */
export function isLinkExpired(record: PublicationRecord, nowMs: number): boolean {
  return record.linkEndsAtMs <= nowMs && parseSession(record)?.next !== "done";
}

/** No write is pending any more, and none produced a video. */
export const NOT_PENDING = {
  pendingWrite: undefined,
  pendingSinceMs: undefined,
  videoId: undefined,
} as const satisfies PublicationChanges;

/** A request to stop it stays recorded: it came too late. */
export function arrived(record: PublicationRecord, videoId: string, nowMs: number): PublicationChanges {
  return {
    ...enter(record, "processing", nowMs),
    ...NOT_PENDING,
    doneBytes: record.sizeBytes,
    session: undefined,
    videoId,
  };
}

/** If it was stopped because the bot left the server, its message says so. */
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

/** `mayRetry`: certainly nothing was published, so the file's link is kept to send it again. */
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

/** `undefined` if it is already being stopped. */
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
