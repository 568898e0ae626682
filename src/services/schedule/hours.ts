// Times of the day as schedules write them, "HH:MM", and the hours between two of them.
import type { Hours } from "./schedule.ts";

/** The minute of the day of "HH:MM". */
export function minuteOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/** Writes an hour and a minute as "HH:MM". */
export function formatTime(hour: number, minute: number): string {
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

/**
 * Where a time lies within hours: on the day on which they begin, or on the next one for hours over midnight;
 * `undefined` outside of them. Without hours every time is within.
 */
export function dayWithin(hours: Hours | undefined, time: string): "first" | "next" | undefined {
  if (!hours) {
    return "first";
  }
  // As text, "HH:MM" is in the order of time.
  const { from, to } = hours;
  if (from <= time && (time <= to || to < from)) {
    return "first";
  }
  return time <= to && to < from ? "next" : undefined;
}
