// Reads a schedule that was kept.
import { z } from "zod";
import type { Schedule } from "./schedule.ts";
import { isZone } from "./zones.ts";

/** Boards come at most once a minute: data does not change more often. */
export const SHORTEST_EVERY = 1;
/** Rarer ones are for `days`. In minutes. */
export const LONGEST_EVERY = 1_440;
/** More times a day than this are better said with `every`. */
export const MOST_TIMES = 24;

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

const weekday = z.literal([1, 2, 3, 4, 5, 6, 7]);

/** Refuses all that is not as {@link Schedule} says, and zones that do not exist. */
export const scheduleSchema: z.ZodType<Schedule> = z.object({
  timing: z.union([
    z.strictObject({ every: z.int().min(SHORTEST_EVERY).max(LONGEST_EVERY) }),
    z.strictObject({ at: z.array(time).min(1).max(MOST_TIMES).refine(isRising) }),
  ]),
  days: z.array(weekday).min(1).refine(isRising),
  hours: z.object({ from: time, to: time }).optional(),
  zone: z.string().refine(isZone),
});

function isRising(values: readonly (string | number)[]): boolean {
  return values.every((value, index) => {
    const before = values[index - 1];
    return before === undefined || before < value;
  });
}
