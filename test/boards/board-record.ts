// Board records for tests of the storage.
import { type BoardClaim, type BoardRecord, NEVER_SENT } from "../../src/boards/boards-table.ts";

/** An active board of server "1" that is due at 10,000. */
export function boardRecord(changed: Partial<BoardRecord> = {}): BoardRecord {
  return {
    id: "board001",
    guildId: "1",
    channelId: "11",
    createdBy: "7",
    createdAtMs: 1_000,
    settings: "{}",
    state: "active",
    pausedBecause: undefined,
    stateAtMs: 1_000,
    changes: undefined,
    nextSlotMs: 10_000,
    ...NEVER_SENT,
    ...changed,
  };
}

/** A claim of the slot at 10,000 by a process that has read this record. */
export function claimOf(seen: BoardRecord, changed: Partial<BoardClaim> = {}): BoardClaim {
  return {
    id: seen.id,
    seen,
    slotMs: 10_000,
    nextSlotMs: 20_000,
    missed: 0,
    lastMissedMs: undefined,
    history: undefined,
    ...changed,
  };
}
