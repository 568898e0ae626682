// Moments in a component's id: minutes since the epoch in base 36, five letters until the year 2084.
import { Temporal } from "temporal-polyfill";
import { z } from "zod";

const MS_PER_MINUTE = 60_000;

/** Writes a moment, to the minute. */
export function formatMinute(at: Temporal.Instant): string {
  return Math.floor(at.epochMilliseconds / MS_PER_MINUTE).toString(36);
}

/** Reads what {@link formatMinute} wrote; refuses anything else. */
export const minuteSchema = z
  .string()
  .regex(/^[0-9a-z]{1,6}$/)
  .transform((text) => Temporal.Instant.fromEpochMilliseconds(Number.parseInt(text, 36) * MS_PER_MINUTE));
