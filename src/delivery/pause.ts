// What cannot go on until somebody repairs it is paused, with one notice.
//
// The notice comes first. A process that dies in between leaves the claim; the process that takes it over meets the same
// obstacle, and sends the notice with the same nonce, for which Discord makes no second message for some minutes. The
// other way round a notice could be lost.
import type { Log } from "../core/log.ts";
import { MessengerError } from "../core/ports.ts";
import { type RetryLater, retryLater } from "./deliver.ts";
import { isTransient } from "./messenger-errors.ts";

export interface Pause {
  /** Sends the notice, some way or other; gives `undefined` where there is no such way. The first that succeeds counts. */
  readonly ways: readonly (() => Promise<unknown>)[];
  readonly pause: () => Promise<void>;
}

/**
 * Notifies and pauses; returns how to go on while Discord cannot be reached. `prepare` may ask Discord what the notice has
 * to say; it returns `undefined` if there is nothing left to pause, and how to go on if it is too early to say. If nobody
 * can be notified, that is logged.
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
