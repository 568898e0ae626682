// When a watch has something to watch: the time of its train, or the hours of its commute, and the lead before.
import { Temporal } from "temporal-polyfill";
import { formatUkDate, UK_TIME_ZONE } from "../../core/uk-time.ts";
import { minuteOfDay } from "../schedule/hours.ts";
import { dateAt, dayAfter, firstMomentFrom, lastMomentUntil, wallDay } from "../schedule/wall-clock.ts";
import { LONGEST_DELAY_MS } from "./judge-train.ts";
import type { WatchedCommute, WatchSettings } from "./watches.ts";

/** One day of a watch. Milliseconds since the epoch. */
export interface WatchWindow {
  /** UK day, "YYYY-MM-DD", that names the incident. */
  readonly day: string;
  /** When watching begins. */
  readonly fromMs: number;
  /** Trains aimed from here on … */
  readonly firstMs: number;
  /** … up to here are watched. */
  readonly lastMs: number;
}

const MINUTE_MS = 60_000;

/** Those that have begun, the earliest first, for as long as one of their trains may still be on its way. */
export function openWindows(settings: WatchSettings, nowMs: number): readonly WatchWindow[] {
  return windowsAround(settings, nowMs, { from: -1, to: 1 }).filter(
    ({ fromMs, lastMs }) => fromMs <= nowMs && nowMs <= lastMs + LONGEST_DELAY_MS,
  );
}

/** When the next one begins; `undefined` where there is none to come. */
export function nextWindowMs(settings: WatchSettings, nowMs: number): number | undefined {
  // A week on the same day comes again; a lead may begin a day earlier.
  return windowsAround(settings, nowMs, { from: 0, to: 8 }).find(({ fromMs }) => fromMs > nowMs)?.fromMs;
}

/** Those that touch the time between two moments. */
export function windowsBetween(
  settings: WatchSettings,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): readonly WatchWindow[] {
  const days = Math.ceil((toMs - fromMs) / (24 * 60 * MINUTE_MS));
  return windowsAround(settings, fromMs, { from: -1, to: days + 1 }).filter(
    (window) => window.fromMs < toMs && fromMs <= window.lastMs,
  );
}

/** The window of one day, whether or not it is one of the watch's days. */
export function windowOfDay({ what, leadMinutes }: WatchSettings, day: string): WatchWindow {
  const span =
    what.kind === "train"
      ? { firstMs: what.aimedMs, lastMs: what.aimedMs }
      : hoursOf(what, Temporal.PlainDate.from(day));
  return { day, fromMs: span.firstMs - leadMinutes * MINUTE_MS, ...span };
}

function windowsAround(
  settings: WatchSettings,
  nowMs: number,
  { from, to }: { readonly from: number; readonly to: number },
): readonly WatchWindow[] {
  const { what } = settings;
  if (what.kind === "train") {
    const { startDate, aimedMs } = what;
    const day = startDate ?? formatUkDate(Temporal.Instant.fromEpochMilliseconds(aimedMs));
    return [windowOfDay(settings, day)];
  }
  const today = dateAt(UK_TIME_ZONE, nowMs);
  return Array.from({ length: to - from + 1 }, (_, index) => today.add({ days: from + index }))
    .filter(({ dayOfWeek }) => what.days.some((day) => day === dayOfWeek))
    .map((date) => windowOfDay(settings, date.toString()));
}

/** The whole of the last minute belongs to them. */
function hoursOf(
  { hours }: WatchedCommute,
  date: Temporal.PlainDate,
): Pick<WatchWindow, "firstMs" | "lastMs"> {
  const day = wallDay(UK_TIME_ZONE, date);
  const lastDay = hours.to < hours.from ? dayAfter(day) : day;
  return {
    firstMs: firstMomentFrom(day, minuteOfDay(hours.from)),
    lastMs: lastMomentUntil(lastDay, minuteOfDay(hours.to)) + MINUTE_MS - 1,
  };
}
