// A board as it is kept, read back as people know it.
import type { BoardRecord } from "../../storage/boards-table.ts";
import { parseBoardSettings } from "./board-settings.ts";
import type { PauseReason, Subscription } from "./boards.ts";

/** Reads a record. Throws where its settings are none: that is a bug. */
export function readSubscription(record: BoardRecord): Subscription {
  const { id, guildId, channelId, createdBy, state, nextSlotMs, missed, lastMissedMs, lastSentMs } = record;
  return {
    id,
    guildId,
    channelId,
    createdBy,
    settings: parseBoardSettings(record.settings),
    state,
    pausedBecause: REASONS.find((reason) => reason === record.pausedBecause),
    nextSlotMs: state === "active" ? nextSlotMs : undefined,
    missed,
    lastMissedMs,
    lastSentMs,
  };
}

const REASONS: readonly PauseReason[] = ["channel-gone", "not-allowed", "station-closed"];

/** Whether people see it: neither a draft nor removed. */
export function isKept({ state }: Pick<BoardRecord, "state">): boolean {
  return state === "active" || state === "paused";
}
