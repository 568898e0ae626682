// The moments at which a board comes, worked out from its schedule. Moments are milliseconds since the epoch.
import type { Temporal } from "temporal-polyfill";
import { countUntil, daySlots, firstAfter, followsWall, lastUntil, type SlotRow } from "./day-slots.ts";
import type { Schedule } from "./schedule.ts";
import { dateAt, MINUTE_MS } from "./wall-clock.ts";

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
