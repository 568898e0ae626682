import { UserError } from "../core/errors.ts";
import { MessengerError, type MessengerProblem } from "../core/ports.ts";

const TRANSIENT: ReadonlySet<MessengerProblem> = new Set(["outcome-unknown", "slow-down", "unavailable"]);

/** Whether the same request may succeed later. */
export function isTransient({ problem }: MessengerError): boolean {
  return TRANSIENT.has(problem);
}

/** `undefined` if `act` succeeds. Throws any other error. */
export async function catchMessengerError(act: () => Promise<unknown>): Promise<MessengerError | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (error instanceof MessengerError) {
      return error;
    }
    throw error;
  }
}

/** Throws a UserError if Discord cannot say. */
export async function askWhetherAllowed(ask: () => Promise<boolean>): Promise<boolean> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof MessengerError) {
      throw new UserError(
        "I can't check with Discord right now whether you're allowed to do that. Please try again in a minute.",
      );
    }
    throw error;
  }
}
