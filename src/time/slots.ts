// Calculates from a board's schedule when it is due. All moments are milliseconds since the epoch.
import type { Schedule } from "./schedule.ts";
import {
  DAY_MINUTES,
  MINUTE_MS,
  dateAt,
  dayAfter,
  dayWithin,
  minuteOfDay,
  momentOf,
  wallDay,
} from "./wall-clock.ts";

/** The first slot strictly after a moment; `undefined` if the schedule has no slots. */
export function nextSlot(schedule: Schedule, afterMs: number): number | undefined {
  return nearest(schedule, afterMs, 1);
}

/** The last slot at or before a moment; `undefined` if the schedule has no slots. */
export function lastSlot(schedule: Schedule, atMs: number): number | undefined {
  return nearest(schedule, atMs, -1);
}

/** Whether regular slots are in progress or begin within a minute. Always false for single times of the day. */
export function isRunning(schedule: Schedule, atMs: number): boolean {
  const { timing } = schedule;
  const last = "every" in timing ? lastSlot(schedule, atMs + MINUTE_MS) : undefined;
  return last !== undefined && "every" in timing && atMs - last < timing.every * MINUTE_MS;
}

/** Strictly after `fromMs`, and at or before `toMs`. The cost grows with the number of days in between. */
export function countSlots(schedule: Schedule, fromMs: number, toMs: number): number {
  const rows = rowsBetween(schedule, fromMs, toMs);
  return rows.every(({ firstMs, lastMs }) => firstMs === lastMs)
    ? new Set(rows.map(({ firstMs }) => firstMs)).size
    : rows.reduce((sum, { firstMs, lastMs, stepMs }) => sum + (lastMs - firstMs) / stepMs + 1, 0);
}

/**
 * How many neighbouring days must be checked. A day's slots can extend into the next local day, and over a day that the
 * zone skipped. If clocks go back across midnight, a day may have begun although the local date is still the previous
 * one.
 */
const SPILL_DAYS = 2;

/** A schedule for one day of the week skips at most one week, if clocks skip its hours. */
const FARTHEST_DAYS = 15;

/** The nearest slot after a moment, or at or before it if `direction` is -1. */
function nearest(schedule: Schedule, ms: number, direction: 1 | -1): number | undefined {
  const today = dateAt(schedule.zone, ms);
  const better = direction === 1 ? Math.min : Math.max;
  let best: number | undefined;
  for (let offset = -SPILL_DAYS; offset <= FARTHEST_DAYS; offset += 1) {
    const rows = daySlots(schedule, today.add({ days: direction * offset }));
    const slots = rows.flatMap((row) =>
      direction === 1 ? (clip(row, ms, Infinity)?.firstMs ?? []) : (clip(row, -Infinity, ms)?.lastMs ?? []),
    );
    if (best !== undefined) {
      // One more day has been checked, because a time that clocks skip can come after the next day's first slot.
      return better(best, ...slots);
    }
    best = slots.length === 0 ? undefined : better(...slots);
  }
  return best;
}

function rowsBetween(schedule: Schedule, fromMs: number, toMs: number): readonly SlotRow[] {
  const rows: SlotRow[] = [];
  const last: Temporal.PlainDate = dateAt(schedule.zone, toMs).add({ days: SPILL_DAYS });
  let date = dateAt(schedule.zone, fromMs).subtract({ days: SPILL_DAYS });
  for (; Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 1 })) {
    rows.push(...daySlots(schedule, date).flatMap((row) => clip(row, fromMs, toMs) ?? []));
  }
  return rows;
}

/** Slots at regular intervals, in milliseconds since the epoch; or a single slot. */
interface SlotRow {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly stepMs: number;
}

/** The part of a row strictly after `fromMs` and at or before `toMs`, which need not be slots themselves. */
function clip({ firstMs, lastMs, stepMs }: SlotRow, fromMs: number, toMs: number): SlotRow | undefined {
  const first = fromMs < firstMs ? firstMs : fromMs + stepMs - ((fromMs - firstMs) % stepMs);
  const end = Math.min(lastMs, toMs);
  return first > end ? undefined : { firstMs: first, lastMs: end - ((end - first) % stepMs), stepMs };
}

const HOUR_MINUTES = 60;

/** The slots of a date, in any order. If clocks change, two of them may be the same moment. */
function daySlots({ timing, days, hours, zone }: Schedule, date: Temporal.PlainDate): readonly SlotRow[] {
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
  const from = hours ? minuteOfDay(hours.from) : 0;
  const to = hours ? minuteOfDay(hours.to) : DAY_MINUTES - 1;
  const lastDay = to < from ? dayAfter(day) : day;
  // "Every 6 hours" follows local time even when clocks change. Up to an hour, people expect equal intervals.
  if (timing.every > HOUR_MINUTES) {
    const span = to < from ? to + DAY_MINUTES - from : to - from;
    return Array.from({ length: Math.floor(span / timing.every) + 1 }, (_, index) => {
      const minute = from + index * timing.every;
      return rowOfOne(minute < DAY_MINUTES ? momentOf(day, minute) : momentOf(lastDay, minute - DAY_MINUTES));
    });
  }
  // If clocks skip the minute at which the hours end, they end an hour earlier, so the last slot never comes after the
  // next day's first.
  const row = {
    firstMs: hours ? momentOf(day, from) : day.startMs,
    lastMs: hours ? momentOf(lastDay, to, "earlier") : day.endMs - MINUTE_MS,
    stepMs: timing.every * MINUTE_MS,
  };
  return row.firstMs <= row.lastMs ? [row] : [];
}

function rowOfOne(slotMs: number): SlotRow {
  return { firstMs: slotMs, lastMs: slotMs, stepMs: MINUTE_MS };
}
