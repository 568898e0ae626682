// How often a video is looked at for its statistics: often while it is new, then less and less, then no more.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The job ticks now and then: what is due a little later counts as due. */
const SLACK_MS = 5 * 60_000;

/** For as long as videos are looked at. */
export const SAMPLED_FOR_MS = 90 * DAY_MS;

const PACE: readonly { readonly untilMs: number; readonly everyMs: number }[] = [
  { untilMs: 2 * DAY_MS, everyMs: HOUR_MS },
  { untilMs: 14 * DAY_MS, everyMs: 6 * HOUR_MS },
  { untilMs: SAMPLED_FOR_MS, everyMs: DAY_MS },
];

/** By how much a look is overdue, in milliseconds; negative where it is not due, or nobody looks any more. */
export function overdueBy(
  { sinceMs, lastMs }: { readonly sinceMs: number; readonly lastMs: number | undefined },
  nowMs: number,
): number {
  const pace = PACE.find(({ untilMs }) => nowMs - sinceMs < untilMs);
  if (pace === undefined) {
    return -Infinity;
  }
  return lastMs === undefined ? nowMs - sinceMs : nowMs - lastMs - pace.everyMs + SLACK_MS;
}
