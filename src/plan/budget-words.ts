// How the transport plan stands, in words.
import type { Temporal } from "temporal-polyfill";
import type { BudgetState } from "./budget.ts";

const HOUR_MS = 3_600_000;

/** Two or three lines of Markdown: what was used, what is left, and what happens next. */
export function budgetLines({
  limit,
  windowMs,
  used,
  left,
  nextFreeAt,
  closedUntil,
}: BudgetState): readonly string[] {
  const span = windowMs === HOUR_MS ? "hour" : "24 hours";
  const lines = [
    `**Train data asked for** ${number(used)} of ${times(limit)} in the last ${span}`,
    `**Left** ${number(left)}`,
  ];
  if (closedUntil !== undefined) {
    return [...lines, `The service says its plan is used up. I ask again ${relative(closedUntil)}.`];
  }
  return nextFreeAt === undefined ? lines : [...lines, `**One more comes free** ${relative(nextFreeAt)}`];
}

function times(count: number): string {
  return count === 1 ? "1 time" : `${number(count)} times`;
}

function number(count: number): string {
  return count.toLocaleString("en-GB");
}

/** Discord counts it down for each reader, e.g. "in 5 minutes". */
function relative(instant: Temporal.Instant): string {
  return `<t:${Math.ceil(instant.epochMilliseconds / 1_000)}:R>`;
}
