import retry from "p-retry";
import { type Clock, sleep } from "./clock.ts";

/**
 * Attempts something until it succeeds, or `waitMs` gives no wait after its failure: then that failure is thrown.
 * `waitMs` gets the number of the attempt that failed, from 1. A TypeError is a bug and is thrown at once.
 */
export function retryOnClock<T>(
  {
    clock,
    waitMs,
    signal,
  }: {
    readonly clock: Pick<Clock, "after">;
    readonly waitMs: (error: Error, attemptNumber: number) => number | undefined;
    /** Ends the waiting; its reason is thrown. */
    readonly signal?: AbortSignal;
  },
  attempt: () => Promise<T>,
): Promise<T> {
  return retry(attempt, {
    retries: Infinity,
    // p-retry counts; the waiting follows the clock.
    minTimeout: 0,
    async onFailedAttempt({ error, attemptNumber }) {
      const delayMs = waitMs(error, attemptNumber);
      if (delayMs === undefined) {
        throw error;
      }
      if (delayMs > 0) {
        await sleep(clock, delayMs, signal);
      }
    },
  });
}
