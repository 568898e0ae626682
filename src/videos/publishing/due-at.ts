// When a publication is to be looked at next for its own sake; its messages may want it sooner.
import type { PublicationRecord } from "../publications-table.ts";
import { parseProblem, parseSession } from "./stored-problem.ts";

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
