// The bot waits at start for what it cannot do without: a supervisor would only start it again, and log in each time.
import { type Clock, sleep } from "./clock.ts";
import { ServiceError, type ServiceErrorKind } from "./errors.ts";
import type { Log } from "./log.ts";

export interface AvailabilityWait {
  /** For the log, e.g. `database`. */
  readonly name: string;
  /** Tells the person who starts the bot, once, what is missing and what to check. */
  readonly sentence: string;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
  readonly announce: (line: string) => void;
  /** 0 to 1. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** Any other kind fails in the same way the next time. */
const TRANSIENT_KINDS: ReadonlySet<ServiceErrorKind> = new Set(["unavailable", "timeout", "rate-limited"]);

/** Attempts it until the service can be used. Throws whatever an attempt throws that does not pass by itself. */
export async function waitUntilAvailable<T>(
  { name, sentence, clock, log, announce, random = Math.random }: AvailabilityWait,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      const result = await attempt();
      if (failures > 0) {
        log.info({ failures }, `${name} reached; start goes on`);
      }
      return result;
    } catch (error) {
      if (!(error instanceof ServiceError) || !TRANSIENT_KINDS.has(error.kind)) {
        throw error;
      }
      if (failures === 0) {
        announce(sentence);
      }
      const longestMs = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
      // Up to half as long by chance: processes that lost a service together do not all come back at once.
      const waitMs = Math.max(Math.round(longestMs * (0.5 + random() / 2)), error.retryAfterMs ?? 0);
      log.warn({ reason: error.message, attempt: failures + 1, waitMs }, `${name} unreachable; start waits`);
      await sleep(clock, waitMs);
    }
  }
}
