// The slots of one day: an even row from the beginning of the hours on, or some times of the day.
import type { Temporal } from "temporal-polyfill";
import { dayWithin, minuteOfDay } from "./hours.ts";
import type { Hours, Schedule, Timing } from "./schedule.ts";
import { MINUTE_MS, dayAfter, firstMomentFrom, lastMomentUntil, momentOf, wallDay } from "./wall-clock.ts";

const HOUR_MINUTES = 60;
const DAY_MINUTES = 1_440;

/** Slots at even distances, milliseconds since the epoch. The last one is at or before `untilMs`. */
export interface SlotRow {
  readonly firstMs: number;
  readonly untilMs: number;
  readonly stepMs: number;
}

/** The slots that belong to a date: none, one row, or a row of one for each time of the day, in any order. */
export function daySlots(
  { timing, days, hours, zone }: Schedule,
  date: Temporal.PlainDate,
): readonly SlotRow[] {
  if (!days.some((day) => day === date.dayOfWeek)) {
    return [];
  }
  const day = wallDay(zone, date);
  if ("at" in timing) {
    return timing.at.flatMap((time) => {
      const within = dayWithin(hours, time);
      return within ? [rowOfOne(momentOf(within === "first" ? day : dayAfter(day), minuteOfDay(time)))] : [];
    });
  }
  if (followsWall(timing)) {
    return wallMinutes(timing.every, hours).map((minute) =>
      rowOfOne(minute < DAY_MINUTES ? momentOf(day, minute) : momentOf(dayAfter(day), minute - DAY_MINUTES)),
    );
  }
  if (!hours) {
    return row(day.startMs, day.endMs - MINUTE_MS, timing.every);
  }
  const lastDay = hours.to < hours.from ? dayAfter(day) : day;
  return row(
    firstMomentFrom(day, minuteOfDay(hours.from)),
    lastMomentUntil(lastDay, minuteOfDay(hours.to)),
    timing.every,
  );
}

/**
 * Whether slots come at times of the day rather than at even distances. "Every 6 hours" means 06:00, 12:00 and 18:00
 * also on the day on which clocks change; up to an hour, an even distance is what people expect.
 */
export function followsWall(timing: Timing): boolean {
  return "at" in timing || timing.every > HOUR_MINUTES;
}

/** The first slot after a moment; `undefined` if there is none. */
export function firstAfter({ firstMs, untilMs, stepMs }: SlotRow, afterMs: number): number | undefined {
  const slotMs = afterMs < firstMs ? firstMs : afterMs + stepMs - ((afterMs - firstMs) % stepMs);
  return slotMs <= untilMs ? slotMs : undefined;
}

/** The last slot at or before a moment; `undefined` if there is none. */
export function lastUntil({ firstMs, untilMs, stepMs }: SlotRow, atMs: number): number | undefined {
  const endMs = Math.min(atMs, untilMs);
  return endMs < firstMs ? undefined : endMs - ((endMs - firstMs) % stepMs);
}

/** How many slots there are up to a moment, itself included. */
export function countUntil({ firstMs, untilMs, stepMs }: SlotRow, atMs: number): number {
  return Math.max(0, Math.floor((Math.min(atMs, untilMs) - firstMs) / stepMs) + 1);
}

/** The minutes, from the date's midnight on, at which the wall shows a slot; those of the next day are 1,440 and more. */
function wallMinutes(every: number, hours: Hours | undefined): readonly number[] {
  const first = hours ? minuteOfDay(hours.from) : 0;
  const to = hours ? minuteOfDay(hours.to) : DAY_MINUTES - 1;
  const last = to < first ? to + DAY_MINUTES : to;
  return Array.from({ length: Math.floor((last - first) / every) + 1 }, (_, index) => first + index * every);
}

function row(firstMs: number, untilMs: number, everyMinutes: number): readonly SlotRow[] {
  return firstMs <= untilMs ? [{ firstMs, untilMs, stepMs: everyMinutes * MINUTE_MS }] : [];
}

function rowOfOne(slotMs: number): SlotRow {
  return { firstMs: slotMs, untilMs: slotMs, stepMs: MINUTE_MS };
}
