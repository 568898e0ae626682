// The notice comes before the pause. If the process dies in between, the next process to claim the work sends
// the notice with the same nonce, so Discord creates no second message for some minutes. In the opposite
// order, a notice could be lost.
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { type Messenger, MessengerError } from "../core/ports.ts";
import { type RetryLater, retryLater } from "./deliver.ts";
import { isTransient } from "./messenger-errors.ts";

/** Watches and publications wait for a timeout that ends within this time, but not longer: people rely on them. */
const BRIEF_MS = 60 * 60_000;

/** How soon work is tried again if the bot is timed out, or seems to have been removed from its server. */
export const BARRED_RETRY_MS = 60_000;

export interface Pause {
  /** Tried in order until one succeeds, e.g. a DM. `undefined`: there was nobody to notify. */
  readonly ways: readonly (() => Promise<unknown>)[];
  readonly pause: () => Promise<void>;
}

/**
 * Returns when to retry if Discord is unavailable. `prepare`: returns `undefined` if there is nothing left to
 * pause, or when to retry if it is too early to decide. If nobody can be notified, that is logged and the
 * work is paused.
 */
export async function pauseWithNotice(
  {
    log,
    logFields,
    isUnsent,
  }: { readonly log: Log; readonly logFields: Readonly<Record<string, string>>; readonly isUnsent: boolean },
  prepare: () => Promise<Pause | RetryLater | undefined>,
): Promise<RetryLater | undefined> {
  let prepared: Pause | RetryLater | undefined;
  try {
    prepared = await prepare();
    if (prepared === undefined || "end" in prepared) {
      return prepared;
    }
    if (!(await reaches(prepared.ways))) {
      log.warn(logFields, "pause notice not delivered");
    }
  } catch (error) {
    if (error instanceof MessengerError) {
      return retryLater(isUnsent, error.retryAfterMs);
    }
    throw error;
  }
  await prepared.pause();
  return undefined;
}

async function reaches(ways: Pause["ways"]): Promise<boolean> {
  for (const send of ways) {
    try {
      if ((await send()) !== undefined) {
        return true;
      }
    } catch (error) {
      if (!(error instanceof MessengerError) || isTransient(error)) {
        throw error;
      }
    }
  }
  return false;
}

/** Whether the bot is timed out in the channel's server for an hour at most. Throws MessengerError. */
export async function isTimedOutBriefly(
  messenger: Pick<Messenger, "check">,
  channelId: string,
  clock: Pick<Clock, "now">,
): Promise<boolean> {
  const endMs = (await messenger.check(channelId))?.timedOutUntilMs ?? Infinity;
  return endMs - clock.now() <= BRIEF_MS;
}
