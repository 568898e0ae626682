// Waits between requests to a service.
import { type Clock, sleep } from "./clock.ts";
import { ServiceError } from "./errors.ts";

/** Throws ServiceError `aborted` when the signal does. */
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
