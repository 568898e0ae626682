// A write to the video service whose answer may be lost. It is never sent again: the bot looks.
import { type Clock, sleep } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { WriteOutcome } from "./videos.ts";

/** Before each look. What the service does late is seen at the second or third, while the person still waits. */
const WAITS_MS = [0, 2_000, 4_000];

/**
 * Sends a write; where nobody heard the answer, `isDone` looks whether it came about. Not seen is not the same as not
 * done: then the outcome is unknown. Throws what `write` throws where it was refused.
 */
export async function confirmWrite(
  clock: Clock,
  write: () => Promise<unknown>,
  isDone: () => Promise<boolean>,
): Promise<WriteOutcome> {
  try {
    await write();
    return "done";
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== "outcome-unknown") {
      throw error;
    }
  }
  for (const waitMs of WAITS_MS) {
    if (waitMs > 0) {
      await sleep(clock, waitMs);
    }
    if (await look(isDone)) {
      return "done";
    }
  }
  return "unknown";
}

/** A look that fails has seen nothing. */
async function look(isDone: () => Promise<boolean>): Promise<boolean> {
  try {
    return await isDone();
  } catch (error) {
    if (error instanceof ServiceError) {
      return false;
    }
    throw error;
  }
}

/** Whether the service says that it is not there any more. Throws what else `read` throws. */
export async function isGone(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read();
    return false;
  } catch (error) {
    if (isNotFound(error)) {
      return true;
    }
    throw error;
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ServiceError && error.kind === "not-found";
}
