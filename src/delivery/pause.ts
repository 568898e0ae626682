// Pauses work that cannot continue until somebody fixes a problem, and notifies them once.
//
// The notice comes first. If the process dies before it pauses the work, the next process to claim the work has the same
// problem and sends the notice with the same nonce, so Discord creates no second message for some minutes. In the opposite
// order, a notice could be lost.
import type { Log } from "../core/log.ts";
import { MessengerError } from "../core/ports.ts";
import { type RetryLater, retryLater } from "./deliver.ts";
import { isTransient } from "./messenger-errors.ts";

export interface Pause {
  /**
   * Functions that send the notice, e.g. as a direct message and in a channel. They are tried in order until one succeeds; one
   * that returns `undefined` had nobody to notify.
   */
  readonly ways: readonly (() => Promise<unknown>)[];
  readonly pause: () => Promise<void>;
}

/**
 * Notifies somebody and pauses the work. Returns when to retry if Discord is unavailable, otherwise `undefined`. `prepare`: may
 * ask Discord for details of the notice; returns `undefined` if there is nothing left to pause, or when to retry if it is too
 * early to decide. If nobody can be notified, that is logged and the work is paused.
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
