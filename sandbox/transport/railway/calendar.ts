// The kind of timetable on a date, and the hours during which a line runs.
import { hash } from "./chance.ts";
import type { Line } from "./network.ts";
import { addDays, dayOfWeek } from "./uk-time.ts";

/** `boxing` is 26 December, when few trains run; `none` is 25 December, when none do. */
export type DayKind = "weekday" | "saturday" | "sunday" | "boxing" | "none";

const BOXING_DAY_OPERATORS: ReadonlySet<string> = new Set(["LO", "XR", "SN", "SE", "CC", "HX"]);

/** In minutes past midnight. */
export interface OpenHours {
  readonly from: number;
  /** From 1,440 on it is after midnight. */
  readonly to: number;
}

/** The kind of timetable on a date. Bank holidays on Mondays count as Saturdays, New Year's Day as a Sunday. */
export function dayKind(date: string): DayKind {
  const monthAndDay = date.slice(5);
  if (monthAndDay === "12-25") {
    return "none";
  }
  if (monthAndDay === "12-26") {
    return "boxing";
  }
  const weekday = dayOfWeek(date);
  if (weekday === 7 || monthAndDay === "01-01") {
    return "sunday";
  }
  return weekday === 6 || isBankHolidayMonday(date, weekday) ? "saturday" : "weekday";
}

/** `undefined` if the line does not run on the date. */
export function openHours(line: Line, kind: DayKind, date: string, seed: number): OpenHours | undefined {
  if (kind === "none" || (kind === "boxing" && !BOXING_DAY_OPERATORS.has(line.operator))) {
    return undefined;
  }
  if (line.kind === "sleeper") {
    // They leave every night except on Saturdays, Christmas Eve and 26 December.
    return kind === "saturday" || kind === "boxing" || date.endsWith("12-24")
      ? undefined
      : { from: 20 * 60 + 30, to: 34 * 60 };
  }
  const early = hash(seed, line.id, "early") % 50;
  const late = hash(seed, line.id, "late") % 60;
  const from = (kind === "sunday" || kind === "boxing" ? 7 * 60 + 40 : 5 * 60) + early;
  const lastMinute = line.kind === "metro" ? 24 * 60 : 23 * 60 + 20;
  const to = lastMinute + late - (kind === "sunday" ? 30 : 0);
  if (line.kind === "freight" && !date.endsWith("12-24")) {
    return { from: 60, to: 28 * 60 };
  }
  // On Christmas Eve the last trains are home by about nine.
  return date.endsWith("12-24") ? { from, to: Math.min(to, 20 * 60 + late) } : { from, to };
}

function isBankHolidayMonday(date: string, weekday: number): boolean {
  if (weekday !== 1) {
    return false;
  }
  const month = date.slice(5, 7);
  const day = Number(date.slice(8));
  const isLastOfMonth = addDays(date, 7).slice(5, 7) !== month;
  return (month === "05" && (day <= 7 || isLastOfMonth)) || (month === "08" && isLastOfMonth);
}
