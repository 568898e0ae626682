import { type Clock, sleep } from "./clock.ts";
import { ServiceError, type ServiceErrorKind } from "./errors.ts";
import type { Log } from "./log.ts";

/** Repeats an attempt after a transient error, but not after a TypeError, which is a bug. */
export async function retryOnClock<T>(
  {
    clock,
    waitsMs,
    isTransient,
    signal,
  }: {
    readonly clock: Pick<Clock, "after">;
    /** The waits before the second attempt, the third and so on. */
    readonly waitsMs: readonly number[];
    readonly isTransient: (error: Error) => boolean;
    /** Ends the wait; its reason is thrown. */
    readonly signal?: AbortSignal;
  },
  attempt: () => Promise<T>,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      const waitMs = waitsMs[failures];
      const isBug = !(error instanceof Error) || error instanceof TypeError;
      if (waitMs === undefined || isBug || !isTransient(error)) {
        throw error;
      }
      if (waitMs > 0) {
        await sleep(clock, waitMs, signal);
      }
    }
  }
}

/** Waits between requests to a service. Throws a ServiceError `aborted` if the signal aborts. */
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

// If the bot exited instead of waiting, a supervisor would restart it and it would log in each time.

export interface AvailabilityWait {
  /** The service's name for the log, e.g. `database`. */
  readonly name: string;
  /** Tells the person who starts the bot what is missing and what to check. It is announced once. */
  readonly sentence: string;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
  readonly announce: (line: string) => void;
  /** Returns 0 to 1. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** Other kinds would fail again in the same way. */
export const TRANSIENT_KINDS: ReadonlySet<ServiceErrorKind> = new Set([
  "unavailable",
  "timeout",
  "rate-limited",
]);

/** Calls `attempt` until the service is available. Throws the attempt's error if it is not transient. */
export async function waitUntilAvailable<T>(
  { name, sentence, clock, log, announce, random = Math.random }: AvailabilityWait,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      const result = await attempt();
      if (failures > 0) {
        log.info({ failures }, `${name} reached`);
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
      // Shortened by up to a half at random, so that processes that lost a service together do not return at the same
      // time.
      const waitMs = Math.max(Math.round(longestMs * (0.5 + random() / 2)), error.retryAfterMs ?? 0);
      log.warn({ reason: error.message, attempt: failures + 1, waitMs }, `${name} unreachable, will retry`);
      await sleep(clock, waitMs);
    }
  }
}
