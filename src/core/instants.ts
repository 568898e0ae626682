// Comparing moments.
import { Temporal } from "temporal-polyfill";

/** Whether `one` lies strictly before `other`. */
export function isBefore(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) < 0;
}
