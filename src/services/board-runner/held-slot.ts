// A slot of a board that this process works on, and which slot of a board that is.
import type { BoardClaim, BoardRecord } from "../../storage/boards-table.ts";
import type { BoardSettings } from "../boards/boards.ts";
import { countSlots, lastSlot, nextSlot } from "../schedule/slots.ts";

/** A board that may be claimed. */
export interface DueBoard {
  readonly record: BoardRecord;
  readonly settings: BoardSettings;
}

/** A slot of a board that is claimed. */
export interface HeldSlot extends DueBoard {
  readonly slotMs: number;
  /** The board's next slot after this one. */
  readonly nextSlotMs: number | undefined;
  /** The board's count of missed slots, with those that this claim passed over. */
  readonly missed: number;
  readonly lastMissedMs: number | undefined;
  /** Nobody can have sent anything for this slot before: it is new, or whoever had it knows that nothing went out. */
  readonly isUnsent: boolean;
  /** How often this process has tried it before. */
  readonly tries: number;
  /** Until when nobody else may work on it, by the database's clock; moves on when it is renewed. */
  untilMs: number;
  /** The same by the time that has passed here, and a little sooner: after it, nothing may be sent. */
  safeUntilElapsedMs: number;
}

/**
 * The slot that counts now. A claim that has run out is settled first. Otherwise it is the last slot that has come;
 * those before it that nobody has worked on are missed.
 */
export function chooseSlot(
  { record, settings }: DueBoard,
  nowMs: number,
): Pick<HeldSlot, "record" | "settings" | "slotMs" | "nextSlotMs" | "missed" | "lastMissedMs"> {
  const { missed, lastMissedMs, claimedSlotMs, nextSlotMs = nowMs } = record;
  if (claimedSlotMs !== undefined) {
    return { record, settings, slotMs: claimedSlotMs, nextSlotMs: record.nextSlotMs, missed, lastMissedMs };
  }
  const { schedule } = settings;
  // The rules of a time zone may have changed since the next slot was worked out: it counts as it was promised.
  const slotMs = Math.max(nextSlotMs, lastSlot(schedule, nowMs) ?? nextSlotMs);
  const passed = slotMs === nextSlotMs ? 0 : countSlots(schedule, nextSlotMs - 1, slotMs - 1);
  return {
    record,
    settings,
    slotMs,
    nextSlotMs: nextSlot(schedule, nowMs),
    missed: missed + passed,
    lastMissedMs: passed === 0 ? lastMissedMs : lastSlot(schedule, slotMs - 1),
  };
}

/** What the row of a claimed slot says, so that a change by anybody else is noticed. */
export function seenAs({ nextSlotMs, slotMs, untilMs }: HeldSlot): BoardClaim["seen"] {
  return { nextSlotMs, claimedSlotMs: slotMs, claimedUntilMs: untilMs };
}

/** What keeps a slot claimed for so long, as far as it does not depend on what the row says before. */
export function claimOf(
  { record, slotMs, nextSlotMs, lastMissedMs }: Omit<HeldSlot, "untilMs">,
  forMs: number,
): Omit<BoardClaim, "seen"> {
  return { id: record.id, slotMs, forMs, nextSlotMs, missed: 0, lastMissedMs };
}
