// Refusals of a service that has live boards only.
import { ServiceError, type ServiceErrorKind } from "../../core/errors.ts";

const KINDS: ReadonlySet<ServiceErrorKind> = new Set(["not-found", "not-permitted", "rejected"]);

/** Whether a service cannot tell of later hours: one that follows the specification to the letter does not. No failure. */
export function cannotTellLater(error: unknown): boolean {
  return error instanceof ServiceError && KINDS.has(error.kind);
}
