import { plural } from "../core/text.ts";
import type { BudgetState, PlannedService } from "./budget.ts";
import { HOUR_MS } from "../time/wall-clock.ts";

/** The names of each plan: as a heading, as in “your plan for trains”, and as in “3 calls for trains and buses”. */
export const PLAN_WORDS: Readonly<
  Record<PlannedService, { readonly heading: string; readonly plan: string; readonly calls: string }>
> = {
  transport: { heading: "Train data", plan: "trains", calls: "for trains and buses" },
  "rail-data": { heading: "National Rail", plan: "National Rail data", calls: "for National Rail data" },
  tfl: { heading: "London", plan: "London", calls: "for London" },
  style: { heading: "Pictures", plan: "pictures", calls: "for pictures" },
};

/** If less than a tenth of the plan is left, people want to know when there will be more. */
const SHORT_SHARE = 10;

/** Two or three lines of Markdown. */
export function budgetLines(
  service: PlannedService,
  { limit, windowMs, used, left, share, nextFreeAt, closedUntil }: BudgetState,
): readonly string[] {
  const yours = share === undefined || share >= left ? "" : `, of which you can use ${number(share)} now`;
  const isShort = left * SHORT_SHARE < limit;
  const kept = limit - used - left;
  const lines = [
    `**${PLAN_WORDS[service].heading}** ${number(used)} of ${plural(limit, "request")} in the last ${spanWords(windowMs)}`,
    `**Left** ${number(left)}${yours}${kept > 0 && closedUntil === undefined ? `. Another ${number(kept)} are reserved for boards and watches.` : ""}`,
  ];
  if (closedUntil !== undefined) {
    return [...lines, `The plan is used up for now. I'll ask again ${relative(closedUntil)}.`];
  }
  return nextFreeAt === undefined || !isShort
    ? lines
    : [...lines, `**Next request available** ${relative(nextFreeAt)}`];
}

function spanWords(windowMs: number): string {
  if (windowMs <= HOUR_MS) {
    return windowMs === HOUR_MS ? "hour" : "minute";
  }
  const hours = windowMs / HOUR_MS;
  return hours > 24 ? `${hours / 24} days` : "24 hours";
}

function number(count: number): string {
  return count.toLocaleString("en-GB");
}

/** Discord shows it as e.g. "in 5 minutes" and keeps it up to date. */
function relative(instant: Temporal.Instant): string {
  return `<t:${Math.ceil(instant.epochMilliseconds / 1_000)}:R>`;
}
