// The outcome of a slot goes into the database, and a message that nobody keeps any more goes away.
import type { Log } from "../../core/log.ts";
import type { BoardsTable } from "../../storage/boards-table.ts";
import { MessengerError, type Messenger, type PostedMessage } from "../../core/ports.ts";
import type { HeldSlot } from "./held-slot.ts";
import type { SlotClaims } from "./slot-claims.ts";
import type { Settled } from "./slot-end.ts";

/** What writing down stands on. */
export interface WriteDownDependencies {
  readonly boards: Pick<BoardsTable, "get">;
  readonly messenger: Pick<Messenger, "delete">;
  readonly claims: Pick<SlotClaims, "finish" | "giveBack">;
  readonly log: Log;
}

/** A tick is ten seconds: what is given back now is due at the next. */
const RETRY_MS = 5_000;
/** Longer waits are cut: the slot has to be settled one way or the other. */
const LONGEST_RETRY_MS = 60_000;

/** Makes what writes down how slots ended. */
export function createWriteDown({ boards, messenger, claims, log }: WriteDownDependencies) {
  /** Somebody removed the board, or moved it, while its message was on its way: then that message is nobody's. */
  async function takeBackStray({ record, settings, slotMs }: HeldSlot, posted: PostedMessage): Promise<void> {
    const now = await boards.get(record.id);
    const isKept = now !== undefined && now.state !== "removed" && now.messageId === posted.messageId;
    const isInOtherHands = now?.state === "active" && now.claimedSlotMs === slotMs;
    if (settings.mode === "post" || isKept || isInOtherHands) {
      return;
    }
    try {
      await messenger.delete(posted);
    } catch (error) {
      if (!(error instanceof MessengerError)) {
        throw error;
      }
      log.warn({ error, board: record.id, message: posted.messageId }, "a stray message is not deleted");
    }
  }

  return async (slot: HeldSlot, end: Settled): Promise<void> => {
    const { record, slotMs } = slot;
    switch (end.end) {
      case "done":
        await claims.finish(slot, end.outcome);
        if (end.posted !== undefined) {
          await takeBackStray(slot, end.posted);
        }
        return;
      case "missed":
        log.info({ board: record.id, slotMs }, "a board missed its slot");
        await claims.finish(slot, { missed: slot.missed + 1, lastMissedMs: slotMs });
        return;
      case "later":
        await claims.giveBack(slot, waitMs(end.waitMs), end.isUnsent);
        return;
    }
  };
}

function waitMs(askedMs = 0): number {
  return Math.min(Math.max(askedMs, RETRY_MS), LONGEST_RETRY_MS);
}
