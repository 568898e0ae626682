// The days of the week.
import type { Weekday } from "./schedule.ts";

/** All of them, in order. */
export const EVERY_DAY: readonly Weekday[] = [1, 2, 3, 4, 5, 6, 7];

/** Monday to Friday. */
export const WORKING_DAYS: readonly Weekday[] = [1, 2, 3, 4, 5];

/** Saturday and Sunday. */
export const WEEKEND: readonly Weekday[] = [6, 7];

const NAMES: Readonly<Record<Weekday, string>> = {
  1: "Monday",
  2: "Tuesday",
  3: "Wednesday",
  4: "Thursday",
  5: "Friday",
  6: "Saturday",
  7: "Sunday",
};

/** e.g. `Monday`. */
export function weekdayName(day: Weekday): string {
  return NAMES[day];
}

/** The days from one to another, both included, over the end of the week where it must be; Monday's side first. */
export function daysFrom(first: Weekday, last: Weekday): readonly Weekday[] {
  return first <= last
    ? EVERY_DAY.filter((day) => first <= day && day <= last)
    : EVERY_DAY.filter((day) => first <= day || day <= last);
}
