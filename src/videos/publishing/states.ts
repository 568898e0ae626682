// Which way a publication may go. Every change of its state is checked here first.
import type { PublicationChanges, PublicationRecord, PublicationState } from "../publications-table.ts";
import { parseProblem, parseSession } from "./stored-problem.ts";

/** From each state, the states that may follow. */
const NEXT: Readonly<Record<PublicationState, readonly PublicationState[]>> = {
  draft: ["awaiting-approval", "uploading", "cancelled", "expired"],
  "awaiting-approval": ["uploading", "refused", "cancelled", "expired"],
  // Back to approval: somebody changed what was approved.
  uploading: ["awaiting-approval", "processing", "failed", "cancelled", "expired", "outcome-unknown"],
  processing: ["scheduled", "published", "failed", "deleted"],
  scheduled: ["published", "failed", "deleted"],
  published: ["deleted"],
  "outcome-unknown": ["processing", "uploading", "cancelled", "expired", "deleted"],
  // Sent again, by way of those who approve where it must be.
  failed: ["uploading", "awaiting-approval"],
  // Put right, and asked for once more.
  refused: ["awaiting-approval"],
  cancelled: [],
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
  return { state: to, stateAtMs: nowMs, nextAtMs: nowMs };
}

// When a publication is to be looked at next for its own sake; its messages may want it sooner.

/** Milliseconds since the epoch; `undefined` where nothing more is to be done. */
export function dueAt(record: PublicationRecord): number | undefined {
  const { state, linkEndsAtMs, fileUrl, session, publishAtMs = 0 } = record;
  const { notBeforeMs = 0, away } = parseProblem(record);
  const leftovers = session === undefined ? undefined : 0;
  switch (state) {
    case "draft":
    case "awaiting-approval":
      return linkEndsAtMs;
    case "uploading":
    case "processing":
      return notBeforeMs;
    case "scheduled":
      // One that is put off is looked at when its server comes back.
      return away === undefined
        ? Math.max(publishAtMs, notBeforeMs)
        : away === "away"
          ? undefined
          : notBeforeMs;
    case "failed":
    case "refused":
      return fileUrl === undefined ? leftovers : linkEndsAtMs;
    case "outcome-unknown":
      return fileUrl === undefined ? undefined : linkEndsAtMs;
    case "published":
    case "cancelled":
    case "expired":
    case "deleted":
      return fileUrl === undefined ? leftovers : 0;
  }
}

/** Whether its next step sends bytes. */
export function sendsBytes({ state, pendingWrite }: PublicationRecord): boolean {
  return state === "uploading" && pendingWrite === undefined;
}

/** Whether its file can no longer be had, and is still needed. */
export function isLinkOver(record: PublicationRecord, nowMs: number): boolean {
  return record.linkEndsAtMs <= nowMs && parseSession(record)?.next !== "done";
}
