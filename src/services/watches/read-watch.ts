// A watch as it is kept, read back as people know it.
import type { WatchRecord } from "../../storage/watches-table.ts";
import { parseWatchSettings } from "./watch-settings.ts";
import type { Watch, WatchPauseReason, WatchSettings } from "./watches.ts";

/** Reads a record. Throws where its settings are none: that is a bug. */
export function readWatch(record: WatchRecord): Watch {
  return watchOf(record, parseWatchSettings(record.settings));
}

/** A record whose settings are read already. */
export function watchOf(record: WatchRecord, settings: WatchSettings): Watch {
  const { id, ownerId, askedGuildId, askedChannelId, guildId, channelId, state } = record;
  return {
    id,
    ownerId,
    askedIn: { guildId: askedGuildId, channelId: askedChannelId },
    target:
      guildId === undefined || channelId === undefined
        ? { kind: "dm" }
        : { kind: "channel", guildId, channelId },
    settings,
    state,
    pausedBecause: REASONS.find((reason) => reason === record.pausedBecause),
  };
}

const REASONS: readonly WatchPauseReason[] = ["dm-closed", "channel-gone", "not-allowed", "station-closed"];

/** Whether people see it: neither a draft nor ended. */
export function isKeptWatch({ state }: Pick<WatchRecord, "state">): boolean {
  return state === "active" || state === "paused";
}
