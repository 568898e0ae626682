// Whether the database answers, for the health page: asked when the page is, and not more often than is needed.
import type { Clock } from "../core/clock.ts";

const PING_INTERVAL_MS = 10_000;
const SILENT_AFTER_MS = 60_000;

/**
 * Returns whether no query has been answered for a minute, when called. It reports what earlier pings came to, and
 * sends the next one where that is due: the page must not hang with the database.
 */
export function createDatabaseHealth({
  ping,
  clock,
}: {
  readonly ping: () => Promise<unknown>;
  readonly clock: Pick<Clock, "elapsed">;
}): () => boolean {
  let lastPingMs = -Infinity;
  let isPinging = false;
  /** When the first ping was sent that has had no answer. */
  let unansweredSinceMs: number | undefined;

  async function sendPing(): Promise<void> {
    try {
      await ping();
      unansweredSinceMs = undefined;
    } catch {
      // Other users of the database log why it fails.
    } finally {
      isPinging = false;
    }
  }

  return () => {
    const nowMs = clock.elapsed();
    if (!isPinging && nowMs - lastPingMs >= PING_INTERVAL_MS) {
      isPinging = true;
      lastPingMs = nowMs;
      unansweredSinceMs ??= nowMs;
      void sendPing();
    }
    return unansweredSinceMs !== undefined && nowMs - unansweredSinceMs >= SILENT_AFTER_MS;
  };
}
