// Why the answer to a picture never arrived.
import { ServiceError } from "../../core/errors.ts";
import { BodyEncodingError, BodyTooLargeError } from "../../core/http-body-limit.ts";
import { TimeoutReason } from "../../core/http-failure.ts";
import { STYLE } from "./refusal.ts";

/**
 * Gives an `outcome-unknown` the kind of what happened: there is nothing to look after where a picture's answer was
 * lost, and sending it again does no more harm than costing once more. Anything else is handed back as it is.
 */
export function explainLostAnswer(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.kind !== "outcome-unknown") {
    return error;
  }
  const { cause, status } = error;
  const details = { cause, status };
  if (cause instanceof TimeoutReason) {
    return new ServiceError(STYLE, "timeout", "process: no answer in time", details);
  }
  if (cause instanceof BodyTooLargeError) {
    return new ServiceError(STYLE, "too-large", "process: the answer passes its limit", details);
  }
  const kind = cause instanceof BodyEncodingError ? "unexpected-answer" : "unavailable";
  return new ServiceError(STYLE, kind, "process: the answer was lost", details);
}
