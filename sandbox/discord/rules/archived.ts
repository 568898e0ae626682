// Decides when a thread counts as archived.
import type { ThreadState } from "../entities.ts";
import type { Platform } from "../platform.ts";

/** Whether a thread is archived now, manually or after a time without messages. */
export function isArchived(platform: Platform, thread: ThreadState): boolean {
  return thread.isArchived || thread.activeAtMs + thread.archiveAfterMinutes * 60_000 <= platform.clock.now();
}
