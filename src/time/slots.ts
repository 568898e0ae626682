// The moments at which a board comes, worked out from its schedule. Moments are milliseconds since the epoch.
import type { Temporal } from "temporal-polyfill";
import type { Hours, Schedule, Timing } from "./schedule.ts";
import {
  DAY_MINUTES,
  MINUTE_MS,
  dateAt,
  dayAfter,
  dayWithin,
  firstMomentFrom,
  lastMomentUntil,
  minuteOfDay,
  momentOf,
  wallDay,
} from "./wall-clock.ts";

/** The first slot strictly after a moment; `undefined` for a schedule that never fires. */
export function nextSlot(schedule: Schedule, afterMs: number): number | undefined {
  return nearest(schedule, afterMs, { direction: 1, ofRow: firstAfter, better: Math.min });
}

/** The last slot at or before a moment; `undefined` for a schedule that never fires. */
export function lastSlot(schedule: Schedule, atMs: number): number | undefined {
  return nearest(schedule, atMs, { direction: -1, ofRow: lastUntil, better: Math.max });
}

/**
 * Whether a row of even slots is under way, or begins within a minute: the last one came less than their distance ago.
 * Never for single times of the day, which are no row.
 */
export function isRunning(schedule: Schedule, atMs: number): boolean {
  const { timing } = schedule;
  const last = "every" in timing ? lastSlot(schedule, atMs + MINUTE_MS) : undefined;
  return last !== undefined && "every" in timing && atMs - last < timing.every * MINUTE_MS;
}

/** How many slots lie strictly after `fromMs` and at or before `toMs`. Costs a little for each day between. */
export function countSlots(schedule: Schedule, fromMs: number, toMs: number): number {
  if (followsWall(schedule.timing)) {
    return slotsBetween(schedule, fromMs, toMs).length;
  }
  return rowsBetween(schedule, fromMs, toMs)
    .map((row) => countUntil(row, toMs) - countUntil(row, fromMs))
    .reduce((sum, count) => sum + count, 0);
}

/** Every slot strictly after `fromMs` and at or before `toMs`, in order, each once. */
export function slotsBetween(schedule: Schedule, fromMs: number, toMs: number): readonly number[] {
  const slots = new Set<number>();
  for (const row of rowsBetween(schedule, fromMs, toMs)) {
    let slotMs = firstAfter(row, fromMs);
    while (slotMs !== undefined && slotMs <= toMs) {
      slots.add(slotMs);
      slotMs = firstAfter(row, slotMs);
    }
  }
  return [...slots].toSorted((a, b) => a - b);
}

/**
 * A day's slots can reach into the next day on the wall, and over one that the zone left out; and a day can have begun
 * that is not on the wall again yet, where clocks go back over midnight.
 */
const SPILL_DAYS = 2;

/** A schedule for one day of the week misses one at most, where its hours fall into the hour that is left out. */
const FARTHEST_DAYS = 15;

interface Search {
  readonly direction: 1 | -1;
  readonly ofRow: (row: SlotRow, ms: number) => number | undefined;
  readonly better: (...slots: number[]) => number;
}

function nearest(schedule: Schedule, ms: number, { direction, ofRow, better }: Search): number | undefined {
  const today = dateAt(schedule.zone, ms);
  let best: number | undefined;
  for (let offset = -SPILL_DAYS; offset <= FARTHEST_DAYS; offset += 1) {
    const date = today.add({ days: direction * offset });
    const slots = daySlots(schedule, date).flatMap((row) => ofRow(row, ms) ?? []);
    if (best !== undefined) {
      // One more day has been looked at, since a time that clocks leave out can come after the next day's first.
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
  for (; date.until(last).days >= 0; date = date.add({ days: 1 })) {
    rows.push(...daySlots(schedule, date));
  }
  return rows;
}

const HOUR_MINUTES = 60;

/** Slots at even distances, milliseconds since the epoch. The last one is at or before `untilMs`. */
interface SlotRow {
  readonly firstMs: number;
  readonly untilMs: number;
  readonly stepMs: number;
}

/** The slots that belong to a date: none, one row, or a row of one for each time of the day, in any order. */
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
  if (followsWall(timing)) {
    return wallMinutes(timing.every, hours).map((minute) =>
      rowOfOne(minute < DAY_MINUTES ? momentOf(day, minute) : momentOf(dayAfter(day), minute - DAY_MINUTES)),
    );
  }
  if (!hours) {
    return evenRow(day.startMs, day.endMs - MINUTE_MS, timing.every);
  }
  const lastDay = hours.to < hours.from ? dayAfter(day) : day;
  return evenRow(
    firstMomentFrom(day, minuteOfDay(hours.from)),
    lastMomentUntil(lastDay, minuteOfDay(hours.to)),
    timing.every,
  );
}

/**
 * Whether slots come at times of the day rather than at even distances. "Every 6 hours" means 06:00, 12:00 and 18:00
 * also on the day on which clocks change; up to an hour, an even distance is what people expect.
 */
function followsWall(timing: Timing): boolean {
  return "at" in timing || timing.every > HOUR_MINUTES;
}

/** The first slot after a moment; `undefined` if there is none. */
function firstAfter({ firstMs, untilMs, stepMs }: SlotRow, afterMs: number): number | undefined {
  const slotMs = afterMs < firstMs ? firstMs : afterMs + stepMs - ((afterMs - firstMs) % stepMs);
  return slotMs <= untilMs ? slotMs : undefined;
}

/** The last slot at or before a moment; `undefined` if there is none. */
function lastUntil({ firstMs, untilMs, stepMs }: SlotRow, atMs: number): number | undefined {
  const endMs = Math.min(atMs, untilMs);
  return endMs < firstMs ? undefined : endMs - ((endMs - firstMs) % stepMs);
}

/** How many slots there are up to a moment, itself included. */
function countUntil({ firstMs, untilMs, stepMs }: SlotRow, atMs: number): number {
  return Math.max(0, Math.floor((Math.min(atMs, untilMs) - firstMs) / stepMs) + 1);
}

/** The minutes, from the date's midnight on, at which the wall shows a slot; those of the next day are 1,440 and more. */
function wallMinutes(every: number, hours: Hours | undefined): readonly number[] {
  const first = hours ? minuteOfDay(hours.from) : 0;
  const to = hours ? minuteOfDay(hours.to) : DAY_MINUTES - 1;
  const last = to < first ? to + DAY_MINUTES : to;
  return Array.from({ length: Math.floor((last - first) / every) + 1 }, (_, index) => first + index * every);
}

function evenRow(firstMs: number, untilMs: number, everyMinutes: number): readonly SlotRow[] {
  return firstMs <= untilMs ? [{ firstMs, untilMs, stepMs: everyMinutes * MINUTE_MS }] : [];
}

function rowOfOne(slotMs: number): SlotRow {
  return { firstMs: slotMs, untilMs: slotMs, stepMs: MINUTE_MS };
}
