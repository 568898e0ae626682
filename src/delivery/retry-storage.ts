// The database may be away for a moment: what is known of work that is claimed must not be lost for that.
import { type Clock, sleep } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";

const PAUSE_MS = 1_000;

/** Asks again, once a second, while the database is away and the claim is safe. `act` must bear being repeated. */
export async function retryStorage<T>(
  clock: Clock,
  isSafe: () => boolean,
  act: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ServiceError) || error.service !== "storage" || error.kind !== "unavailable") {
        throw error;
      }
      await sleep(clock, PAUSE_MS);
      if (!isSafe()) {
        throw error;
      }
    }
  }
}
