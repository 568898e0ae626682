// What a write comes to whose answer nobody heard.
import { ServiceError } from "../../core/errors.ts";
import { VIDEO } from "./account.ts";

/** `unknown`: it may have happened and must not be sent again. `harmless`: nothing that anybody sees. */
export type LostMeaning = "unknown" | "harmless";

/**
 * Gives a write without a clear answer its name: also one that was answered with an error of the server's, or with
 * something that cannot be read, may have been done.
 */
export function explainLostWrite(error: unknown, verb: string, lost: LostMeaning): unknown {
  if (!(error instanceof ServiceError) || error.service !== VIDEO) {
    return error;
  }
  const isAnswered = error.status !== undefined;
  const isUnclear =
    error.kind === "outcome-unknown" ||
    (isAnswered && ["unavailable", "unexpected-answer", "timeout"].includes(error.kind));
  if (!isUnclear) {
    return error;
  }
  const { status, requestId } = error;
  const details = { status, requestId, cause: error };
  return lost === "harmless"
    ? new ServiceError(VIDEO, "unavailable", `${verb}: the answer was lost`, details)
    : new ServiceError(VIDEO, "outcome-unknown", `${verb}: the answer was lost`, details);
}
