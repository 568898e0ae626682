// The watches of a restored backup do not know what was reported since.
import type { Log } from "../core/log.ts";
import type { IncidentsTable } from "./incidents-table.ts";
import {
  ALL_ALARMS,
  type IncidentKnowledge,
  NOTHING_KNOWN,
  parseKnowledge,
  serialiseKnowledge,
  withoutMessage,
} from "./train-knowledge.ts";
import { type WatchDay, createWatchReader, daysOf } from "./watch-days.ts";
import type { WatchesTable } from "./watches-table.ts";
import { isAboutTrains } from "./watches.ts";

/**
 * For each day under way, the runner will search for its first message or, for trains that ping, one that
 * replaced it. `sinceMs`: when the backup was made.
 */
export async function prepareRestoredWatches(
  {
    watches,
    incidents,
  }: {
    readonly watches: Pick<WatchesTable, "active">;
    readonly incidents: Pick<IncidentsTable, "ofWatch" | "write">;
  },
  { sinceMs, nowMs, log }: { readonly sinceMs: number; readonly nowMs: number; readonly log: Log },
): Promise<void> {
  for (const each of createWatchReader(log)(await watches.active())) {
    const watchId = each.record.id;
    const { ping, what } = each.watch.settings;
    for (const day of daysOf(each, await incidents.ofWatch(watchId), nowMs)) {
      const { window, row } = day;
      const postingSinceMs = row?.postingSinceMs ?? Math.max(sinceMs, window.fromMs);
      const known = knownOf(day, log);
      const hasMessage = row?.messageId !== undefined;
      const isPosting = row?.postingSinceMs !== undefined;
      const mayBeReplaced = ping && isAboutTrains(what) && known.alarms !== undefined;
      const isSearched = !hasMessage || isPosting || mayBeReplaced;
      const { alarms = [] } = isPosting ? withoutMessage(known) : known;
      const searched = { ...known, alarms: [...(hasMessage ? alarms : []), ALL_ALARMS] };
      const changes = {
        knowledge: serialiseKnowledge(isSearched ? searched : known),
        shownHash: undefined,
        claimForMs: undefined,
        ...(isSearched && { postingSinceMs }),
      };
      await incidents.write([{ watchId, day: window.day, seenRevision: row?.revision, changes }]);
    }
  }
}

/** Unreadable knowledge is a bug; the restore goes on as if nothing were known about the day. */
function knownOf({ watch, row }: WatchDay, log: Log): IncidentKnowledge {
  try {
    return row ? parseKnowledge(row.knowledge) : NOTHING_KNOWN;
  } catch (error) {
    log.error({ error, watch: watch.id, day: row?.day }, "incident unreadable; knowledge dropped");
    return NOTHING_KNOWN;
  }
}
