// The boards of a restored backup do not know what the bot has sent since.
import type { Log } from "../core/log.ts";
import { nextSlot } from "../time/slots.ts";
import { createBoardReader } from "./boards.ts";
import type { BoardsTable } from "./boards-table.ts";
import { MINUTE_MS } from "../time/wall-clock.ts";

/** `sinceMs`: when the backup was made. Slots up to `nowMs` are no longer sent. */
export async function settleRestoredBoards(
  boards: Pick<BoardsTable, "active" | "change">,
  { sinceMs, nowMs, log }: { readonly sinceMs: number; readonly nowMs: number; readonly log: Log },
): Promise<void> {
  for (const { id, claimedSlotMs, settings } of createBoardReader(log)(await boards.active())) {
    await boards.change(id, {
      // As if a process had died during this slot: the runner then searches for a message that was sent since, and keeps it.
      claimedSlotMs: claimedSlotMs ?? sinceMs - (sinceMs % MINUTE_MS),
      claimedUntilMs: sinceMs,
      nextSlotMs: nextSlot(settings.schedule, nowMs),
      shownHash: undefined,
    });
  }
}
