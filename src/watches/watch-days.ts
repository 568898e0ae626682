import { LRUCache } from "lru-cache";
import { limitEntries } from "../core/cache-options.ts";
import type { Log } from "../core/log.ts";
import { type IncidentRecord, incidentKey } from "./incidents-table.ts";
import type { WatchRecord } from "./watches-table.ts";
import {
  type SourceQuestion,
  type TimeSpan,
  type WantedQuestion,
  type WatchedQuestion,
  questionKey,
} from "../boards/planning/board-contents.ts";
import { type Watch, type WatchSettings, isAboutTrains, parseWatchSettings, readWatch } from "./watches.ts";
import type { Hours } from "../time/schedule.ts";
import { UK_TIME_ZONE, formatUkDate } from "../time/uk-time.ts";
import {
  MINUTE_MS,
  dateAt,
  dayAfter,
  instantAt,
  minuteOfDay,
  momentOf,
  wallDay,
} from "../time/wall-clock.ts";
import { LONGEST_DELAY_MS } from "./judge-train.ts";
import type { IncidentKnowledge } from "./train-knowledge.ts";

export interface LoadedWatch {
  readonly record: WatchRecord;
  readonly watch: Watch;
}

/** A day of a watch that is not over yet, or a numbered incident of the network. */
export interface WatchDay extends LoadedWatch {
  readonly window: WatchWindow;
  /** `undefined` if nothing is recorded yet. */
  readonly row: IncidentRecord | undefined;
  /** About an incident without a row; absent if nothing is known. */
  readonly initialKnowledge?: IncidentKnowledge | undefined;
}

/** A longer time would reserve calls for trains that are late, and most would never be used. */
const AFTER_MS = 5 * MINUTE_MS;
/** When calls are planned, a day under way is assumed to last this much longer; the next plan comes before then. */
const GOES_ON_MS = 10 * MINUTE_MS;
/** How far ahead calls are planned: plans cover a whole day. */
const AHEAD_MS = 25 * 60 * MINUTE_MS;

/** Each takes less than a kilobyte. */
const MAX_CACHED_SETTINGS = 20_000;

/** Parses each settings text only once. Unreadable rows are a bug: they are logged and left out. */
export function createWatchReader(log: Log) {
  const settings = new LRUCache<string, WatchSettings>({
    ...limitEntries(MAX_CACHED_SETTINGS),
    memoMethod: parseWatchSettings,
  });
  return (records: readonly WatchRecord[]): readonly LoadedWatch[] =>
    records.flatMap((record) => {
      try {
        return [{ record, watch: readWatch(record, settings.memo(record.settings)) }];
      } catch (error) {
        log.error({ error, watch: record.id }, "watch unreadable; watch stopped");
        return [];
      }
    });
}

/** Days that have begun and are not closed, also those from before a downtime. */
export function daysOf(
  loaded: LoadedWatch,
  rows: readonly IncidentRecord[],
  nowMs: number,
): readonly WatchDay[] {
  const { settings } = loaded.watch;
  const windows = openWindows(settings, nowMs);
  const left = rows.filter(({ day }) => !windows.some((window) => window.day === day));
  return [...left.map(({ day }) => windowOfDay(settings, day)), ...windows]
    .map((window) => ({ ...loaded, window, row: rows.find(({ day }) => day === window.day) }))
    .filter(({ row }) => row?.closedAtMs === undefined);
}

export function keyOfDay({ watch, window }: WatchDay): string {
  return incidentKey({ watchId: watch.id, day: window.day });
}

/** One day for each knowledge, numbered after `rows`, so that only one of two processes can create each. */
export function newIncidentDays(
  loaded: LoadedWatch,
  rows: readonly IncidentRecord[],
  initial: readonly IncidentKnowledge[],
): readonly WatchDay[] {
  const last = Math.max(0, ...rows.map(({ day }) => Number(day)));
  return initial.map((initialKnowledge, index) => ({
    ...loaded,
    window: windowOfDay(loaded.watch.settings, String(last + index + 1)),
    row: undefined,
    initialKnowledge,
  }));
}

/** The same as a board's with these stations. `undefined` for lines and the network: one covers all. */
export function questionOf({ what }: Pick<WatchSettings, "what">): SourceQuestion | undefined {
  return isAboutTrains(what) ? { kind: "departures", crs: what.station, via: what.to } : undefined;
}

/** The questions of the days under way, since the current minute, because boards' slots are whole minutes too. */
export function currentQuestions(days: readonly WatchDay[], nowMs: number): readonly WantedQuestion[] {
  const sinceMs = nowMs - (nowMs % MINUTE_MS);
  return days
    .flatMap(({ watch }) => questionOf(watch.settings) ?? [])
    .map((question) => ({ question, sinceMs }));
}

/** `openIds`: the watches that have a day under way. */
export function watchedQuestions(
  watches: readonly Watch[],
  openIds: ReadonlySet<string>,
  nowMs: number,
): readonly WatchedQuestion[] {
  const planned = new Map<string, { question: SourceQuestion; spans: TimeSpan[]; owners: Set<string> }>();
  for (const { id, ownerId, guildId, settings } of watches) {
    const question = questionOf(settings);
    if (question === undefined) {
      continue;
    }
    const entry = planned.get(questionKey(question)) ?? { question, spans: [], owners: new Set() };
    planned.set(questionKey(question), entry);
    entry.owners.add(guildId ?? ownerId);
    for (const { fromMs, lastMs } of windowsBetween(settings, { fromMs: nowMs, toMs: nowMs + AHEAD_MS })) {
      entry.spans.push({ fromMs, toMs: lastMs + AFTER_MS });
    }
    if (openIds.has(id)) {
      entry.spans.push({ fromMs: nowMs, toMs: nowMs + GOES_ON_MS });
    }
  }
  return [...planned.values()].map(({ owners, ...each }) => ({ ...each, ownerIds: [...owners] }));
}

/** Milliseconds since the epoch. */
export interface WatchWindow {
  /** A UK day, "YYYY-MM-DD", or a number for disruptions. */
  readonly day: string;
  /** When checking begins. */
  readonly fromMs: number;
  /** The earliest aimed departure. */
  readonly firstMs: number;
  /** The latest aimed departure. */
  readonly lastMs: number;
}

/** Earliest first. A window stays open as long as one of its trains may still be late. */
export function openWindows(settings: WatchSettings, nowMs: number): readonly WatchWindow[] {
  return windowsAround(settings, nowMs, { from: -1, to: 1 }).filter(
    ({ fromMs, lastMs }) => fromMs <= nowMs && nowMs <= lastMs + LONGEST_DELAY_MS,
  );
}

/** `undefined` if there is none. Now for disruptions, because they may begin at any time. */
export function nextWindowMs(settings: WatchSettings, nowMs: number): number | undefined {
  if (settings.what.kind === "network") {
    return nowMs;
  }
  // The same weekday comes again after seven days, and a lead may begin a day earlier.
  return windowsAround(settings, nowMs, { from: 0, to: 8 }).find(({ fromMs }) => fromMs > nowMs)?.fromMs;
}

export function windowsBetween(settings: WatchSettings, { fromMs, toMs }: TimeSpan): readonly WatchWindow[] {
  const days = Math.ceil((toMs - fromMs) / (24 * 60 * MINUTE_MS));
  return windowsAround(settings, fromMs, { from: -1, to: days + 1 }).filter(
    (window) => window.fromMs < toMs && fromMs <= window.lastMs,
  );
}

/** The window of a day, even if it is not one of the watch's days. */
export function windowOfDay({ what, leadMinutes }: WatchSettings, day: string): WatchWindow {
  if (what.kind === "network") {
    return { day, fromMs: 0, firstMs: 0, lastMs: Infinity };
  }
  const span =
    what.kind === "train"
      ? { firstMs: what.aimedMs, lastMs: what.aimedMs }
      : spanOf(what.hours ?? TRAFFIC_DAY, Temporal.PlainDate.from(day));
  const leadMs = what.kind === "line" ? 0 : leadMinutes * MINUTE_MS;
  return { day, fromMs: span.firstMs - leadMs, ...span };
}

/** The hours of a day if the watch of a line names none. */
const TRAFFIC_DAY: Hours = { from: "04:00", to: "03:59" };

function windowsAround(
  settings: WatchSettings,
  nowMs: number,
  { from, to }: { readonly from: number; readonly to: number },
): readonly WatchWindow[] {
  const { what } = settings;
  if (what.kind === "network") {
    return [];
  }
  if (what.kind === "train") {
    const { startDate, aimedMs } = what;
    const day = startDate ?? formatUkDate(instantAt(aimedMs));
    return [windowOfDay(settings, day)];
  }
  const today = dateAt(UK_TIME_ZONE, nowMs);
  return Array.from({ length: to - from + 1 }, (_, index) => today.add({ days: from + index }))
    .filter(({ dayOfWeek }) => what.days.some((day) => day === dayOfWeek))
    .map((date) => windowOfDay(settings, date.toString()));
}

/** The first and the last millisecond of the hours on a date, including the whole last minute. */
function spanOf(hours: Hours, date: Temporal.PlainDate): Pick<WatchWindow, "firstMs" | "lastMs"> {
  const day = wallDay(UK_TIME_ZONE, date);
  const lastDay = hours.to < hours.from ? dayAfter(day) : day;
  const firstMs = momentOf(day, minuteOfDay(hours.from));
  // If clocks skip the first minute, the window begins an hour later, perhaps after its last minute.
  const lastMs = Math.max(firstMs, momentOf(lastDay, minuteOfDay(hours.to))) + MINUTE_MS - 1;
  return { firstMs, lastMs };
}
