// Sends again what may be sent again: later each time, on the clock.
import retry from "p-retry";
import { sleep, type Clock } from "../core/clock.ts";

export interface Insistence {
  readonly clock: Clock;
  /** How long to wait before each further try. */
  readonly waitsMs: readonly number[];
  /** Whether the same request may succeed a moment later. */
  readonly isPassing: (error: Error) => boolean;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/** Sends until it succeeds or there is no point; the last try's error is thrown. */
export function insist<T>(
  { clock, waitsMs, isPassing, signal }: Insistence,
  send: () => Promise<T>,
): Promise<T> {
  return retry(send, {
    retries: waitsMs.length,
    // p-retry counts; the waiting is ours, on the clock.
    minTimeout: 0,
    async onFailedAttempt({ error, attemptNumber }) {
      const waitMs = waitsMs[attemptNumber - 1];
      if (waitMs === undefined || !isPassing(error)) {
        throw error;
      }
      if (waitMs > 0) {
        await sleep(clock, waitMs, signal);
      }
    },
  });
}
