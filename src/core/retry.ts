// Waits on the clock between attempts at something.
import retry from "p-retry";
import { type Clock, sleep } from "./clock.ts";
import { ServiceError } from "./errors.ts";

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

/** Waits between requests to a service. Throws ServiceError `aborted` when the signal does. */
export async function wait(
  service: string,
  clock: Clock,
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  await sleep(clock, waitMs, signal).catch((cause: unknown) => {
    throw new ServiceError(service, "aborted", "given up", { cause });
  });
}
