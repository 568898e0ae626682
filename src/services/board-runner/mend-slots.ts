// Boards that wait for a moment that their schedule does not name. Nobody puts a slot off on purpose: a clock was far
// ahead when it was worked out, or when somebody claimed a slot and died.
import { setImmediate } from "node:timers/promises";
import { CLOCK_TOLERANCE_MS, type Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { BoardsTable } from "../../storage/boards-table.ts";
import { nextSlot } from "../schedule/slots.ts";
import type { DueBoard } from "./held-slot.ts";

/** What mending stands on. */
export interface MendSlotsDependencies {
  readonly boards: Pick<BoardsTable, "changeState">;
  readonly clock: Clock;
  readonly log: Log;
}

/** No claim is made for longer. */
const LONGEST_CLAIM_MS = 2 * 60_000;
/** Between so many the bot hears other people. */
const AT_ONCE = 50;

/** Makes what mends boards that are active and that this process does not work on. */
export function createMendSlots({ boards, clock, log }: MendSlotsDependencies) {
  async function mend({ record, settings }: DueBoard): Promise<void> {
    const nowMs = clock.now();
    const { id, nextSlotMs = Infinity, claimedUntilMs = -Infinity } = record;
    const isClaimWrong = claimedUntilMs > nowMs + LONGEST_CLAIM_MS;
    if (record.claimedSlotMs !== undefined && !isClaimWrong) {
      return;
    }
    // A process whose clock is a little ahead may have had the slot of this very moment.
    const soonMs = nextSlot(settings.schedule, nowMs + CLOCK_TOLERANCE_MS);
    if (soonMs === undefined || (nextSlotMs <= soonMs && !isClaimWrong)) {
      return;
    }
    await boards.changeState(id, ["active"], {
      nextSlotMs: Math.min(nextSlotMs, soonMs),
      claimedSlotMs: undefined,
      claimedUntilMs: undefined,
    });
    log.warn({ board: id }, "a board waited for a moment that its schedule does not name");
  }

  return async (active: readonly DueBoard[]): Promise<void> => {
    for (const [index, board] of active.entries()) {
      if (index % AT_ONCE === 0) {
        await setImmediate();
      }
      await mend(board);
    }
  };
}
