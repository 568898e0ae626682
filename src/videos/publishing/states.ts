// Which way a publication may go. Every change of its state is checked here first.
import type { PublicationChanges, PublicationRecord, PublicationState } from "../publications-table.ts";
import { parseSession } from "./stored-problem.ts";

/** From each state, the states that may follow. */
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
  // Sent again, by way of those who approve where it must be.
  failed: ["uploading", "awaiting-approval"],
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

/**
 * The changes that bring a publication into another state, in which somebody is to look at it at once. Where it may not
 * follow, somebody has not looked: a bug.
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
    ...(!REMEMBERS_STOP.has(to) && NOT_STOPPED),
    ...FREE,
  };
}

/** In these it is said, or decides, that somebody wanted it stopped. */
const REMEMBERS_STOP: ReadonlySet<PublicationState> = new Set([
  "processing",
  "scheduled",
  "published",
  "outcome-unknown",
  "cancelled",
]);
const NOT_STOPPED = { stopReason: undefined } as const;

/** Nothing is in its way. */
export const FREE = {
  problem: undefined,
  troubleSinceMs: undefined,
  tries: 0,
  notBeforeMs: undefined,
} as const satisfies PublicationChanges;

// When a publication is to be looked at next for its own sake; its messages may want it sooner.

/** Milliseconds since the epoch; `undefined` where nothing more is to be done. */
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
      return isToWithdraw(record) ? notBeforeMs : Math.max(publishAtMs, notBeforeMs);
    case "failed":
    case "refused":
      return fileUrl === undefined ? leftovers : linkEndsAtMs;
    case "outcome-unknown":
      return fileUrl === undefined ? undefined : linkEndsAtMs;
    case "cancelled":
      // What a server's return may bring back is kept as long as the server is remembered.
      return fileUrl === undefined || isOfLeftServer(record) ? leftovers : 0;
    case "published":
    case "expired":
    case "deleted":
      return fileUrl === undefined ? leftovers : 0;
  }
}

/** Whether the bot was removed from its server: once it is cancelled, it is kept to be published again. */
export function isOfLeftServer({ stopReason }: Pick<PublicationRecord, "stopReason">): boolean {
  return stopReason === "left" || stopReason === "returned";
}

/** Whether what the service has of it is to be cancelled there; a server's own account is its own to look after. */
export function isToWithdraw(record: Pick<PublicationRecord, "account" | "stopReason">): boolean {
  return record.account === "operator" && isOfLeftServer(record);
}

/** Whether its next step sends bytes. */
export function sendsBytes({ state, pendingWrite }: PublicationRecord): boolean {
  return state === "uploading" && pendingWrite === undefined;
}

/** Whether its file can no longer be had, and is still needed. */
export function isLinkOver(record: PublicationRecord, nowMs: number): boolean {
  return record.linkEndsAtMs <= nowMs && parseSession(record)?.next !== "done";
}
