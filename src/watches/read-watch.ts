// A watch as it is kept, read back as people know it.
import type { WatchRecord } from "./watches-table.ts";
import { parseWatchSettings } from "./watch-settings.ts";
import type { Watch, WatchPauseReason, WatchSettings } from "./watches.ts";
import { parseComponentId } from "../core/component-id.ts";
import type { IncidentKey } from "./incidents-table.ts";

/** Reads a record. Throws where its settings are none: that is a bug. `settings`: where they are read already. */
export function readWatch(
  record: WatchRecord,
  settings: WatchSettings = parseWatchSettings(record.settings),
): Watch {
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

// The mark that an incident's message carries in its buttons: which watch it is of, and which of its days. By it the
// message is found again after a crash or a lost answer.

/** What a button carries beside the watch's own id, which is `w`: `d` is the day. */
export function formatIncidentMark({ day }: Pick<IncidentKey, "day">): { readonly d: string } {
  return { d: day };
}

/** Finds the mark among the ids of a message's components; `undefined` where there is none. */
export function findIncidentMark(componentIds: readonly string[]): IncidentKey | undefined {
  for (const id of componentIds) {
    const target = parseComponentId(id);
    const { w: watchId = "", d: day = "" } = target?.args ?? {};
    if (target?.command.startsWith("watch/") && watchId !== "" && day !== "") {
      return { watchId, day };
    }
  }
  return undefined;
}
