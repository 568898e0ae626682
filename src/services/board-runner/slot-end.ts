// How the work on a slot can end.
import type { BoardOutcome } from "../../storage/boards-table.ts";
import { MessengerError, type MessengerProblem, type PostedMessage } from "../../core/ports.ts";
import type { PauseReason } from "../boards/boards.ts";

export type SlotEnd =
  /** It is settled. `posted`: the message that is new in the channel. */
  | { readonly end: "done"; readonly outcome: BoardOutcome; readonly posted?: PostedMessage }
  /** It was not sent and never will be. */
  | { readonly end: "missed" }
  /** To be tried again. `isUnsent`: surely nothing has gone out. */
  | { readonly end: "later"; readonly isUnsent: boolean; readonly waitMs?: number | undefined }
  /** The board cannot go on until somebody repairs it. */
  | { readonly end: "stopped"; readonly because: PauseReason };

/** An end that can be written down. */
export type Settled = Exclude<SlotEnd, { readonly end: "stopped" }>;

/** What an error of the messenger means for a slot. `isUnsent`: surely nothing had gone out before. Throws any other error. */
export function endOf(error: unknown, isUnsent: boolean): SlotEnd {
  if (!(error instanceof MessengerError)) {
    throw error;
  }
  switch (error.problem) {
    case "channel-gone":
    case "not-allowed":
      return { end: "stopped", because: error.problem };
    case "outcome-unknown":
      return { end: "later", isUnsent: false };
    case "slow-down":
    case "unavailable":
      return { end: "later", isUnsent, waitMs: error.retryAfterMs };
    case "message-gone":
    case "dm-closed":
    case "refused":
      // The same message would be refused again and again.
      return { end: "missed" };
  }
}

/** Whether the same may succeed later. */
export function isPassing({ problem }: MessengerError): boolean {
  return PASSING.has(problem);
}

const PASSING: ReadonlySet<MessengerProblem> = new Set(["outcome-unknown", "slow-down", "unavailable"]);
