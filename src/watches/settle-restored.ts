// Watches in a backup that is restored: they do not know what they have notified people of since.
import type { Log } from "../core/log.ts";
import type { IncidentsTable } from "./incidents-table.ts";
import { ALL_ALARMS, NOTHING_KNOWN, parseKnowledge, serialiseKnowledge } from "./train-knowledge.ts";
import { createWatchReader, daysOf } from "./watch-days.ts";
import type { WatchesTable } from "./watches-table.ts";

/**
 * `sinceMs`: when the backup was made. Each day under way may have a message that is to be searched for: its first one, or,
 * where messages make a sound, another in place of the one that the backup names.
 */
export async function settleRestoredWatches(
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
    for (const { window, row } of daysOf(each, await incidents.ofWatch(watchId), nowMs)) {
      const postingSinceMs = row?.postingSinceMs ?? Math.max(sinceMs, window.fromMs);
      const known = row ? parseKnowledge(row.knowledge) : NOTHING_KNOWN;
      const hasMessage = row?.messageId !== undefined;
      const isReplaced =
        hasMessage &&
        row.postingSinceMs === undefined &&
        each.watch.settings.ping &&
        known.alarms !== undefined;
      const changes = {
        knowledge: serialiseKnowledge({
          ...known,
          ...(isReplaced && { alarms: [...(known.alarms ?? []), ALL_ALARMS] }),
        }),
        shownHash: undefined,
        claimForMs: undefined,
        ...((!hasMessage || isReplaced) && { postingSinceMs }),
      };
      await incidents.write([{ watchId, day: window.day, seenRevision: row?.revision, changes }]);
    }
  }
}
