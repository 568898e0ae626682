// The days of watches that are under way, and what watches want to know.
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
} from "../boards/planning/board-data.ts";
import { type Watch, type WatchSettings, isOfTrains, parseWatchSettings, readWatch } from "./watches.ts";
import type { Hours } from "../time/schedule.ts";
import { UK_TIME_ZONE, formatUkDate } from "../time/uk-time.ts";
import {
  MINUTE_MS,
  dateAt,
  dayAfter,
  firstMomentFrom,
  lastMomentUntil,
  minuteOfDay,
  wallDay,
} from "../time/wall-clock.ts";
import { LONGEST_DELAY_MS } from "./judge-train.ts";
import type { IncidentKnowledge } from "./train-knowledge.ts";

/** A watch with the row that it was read from. */
export interface ReadWatch {
  readonly record: WatchRecord;
  readonly watch: Watch;
}

/** A day of a watch that is not over yet, or a number of disruptions. */
export interface WatchDay extends ReadWatch {
  readonly window: WatchWindow;
  /** `undefined` where nothing is known of it. */
  readonly row: IncidentRecord | undefined;
  /** What is known already of one without a row; `undefined` for nothing. */
  readonly begins?: IncidentKnowledge | undefined;
}

/** For the plan, a day ends this long after its last minute; a longer time would reserve calls for late trains that are never used. */
const AFTER_MS = 5 * MINUTE_MS;
/** For the plan, what is still under way goes on for this long; by then there is another plan. */
const GOES_ON_MS = 10 * MINUTE_MS;
/** The plan of a day is looked at as a whole. */
const AHEAD_MS = 25 * 60 * MINUTE_MS;

/** Under a kilobyte each. */
const MOST_SETTINGS_KEPT = 20_000;

/** Reads the watches that run again and again, but parses each text once. Leaves out what cannot be read, a bug. */
export function createWatchReader(log: Log) {
  const settings = new LRUCache<string, WatchSettings>({
    ...limitEntries(MOST_SETTINGS_KEPT),
    memoMethod: parseWatchSettings,
  });
  return (records: readonly WatchRecord[]): readonly ReadWatch[] =>
    records.flatMap((record) => {
      try {
        return [{ record, watch: readWatch(record, settings.memo(record.settings)) }];
      } catch (error) {
        log.error({ error, watch: record.id }, "watch unreadable; watch stopped");
        return [];
      }
    });
}

/** Its days that have begun and are not closed, those included that a bot which was away has left open. */
export function daysOf(read: ReadWatch, rows: readonly IncidentRecord[], nowMs: number): readonly WatchDay[] {
  const { settings } = read.watch;
  const windows = openWindows(settings, nowMs);
  const left = rows.filter(({ day }) => !windows.some((window) => window.day === day));
  return [...left.map(({ day }) => windowOfDay(settings, day)), ...windows]
    .map((window) => ({ ...read, window, row: rows.find(({ day }) => day === window.day) }))
    .filter(({ row }) => row?.closedAtMs === undefined);
}

export function keyOfDay({ watch, window }: WatchDay): string {
  return incidentKey({ watchId: watch.id, day: window.day });
}

/** The incidents of the network that are to begin. They are numbered, so that of two processes only one begins each. */
export function newDays(
  read: ReadWatch,
  rows: readonly IncidentRecord[],
  begun: readonly IncidentKnowledge[],
): readonly WatchDay[] {
  const last = Math.max(0, ...rows.map(({ day }) => Number(day)));
  return begun.map((begins, index) => ({
    ...read,
    window: windowOfDay(read.watch.settings, String(last + index + 1)),
    row: undefined,
    begins,
  }));
}

/** The question of a watch: that of a board with the same stations. One question covers all lines, or the network: they have none. */
export function questionOf({ what }: Pick<WatchSettings, "what">): SourceQuestion | undefined {
  return isOfTrains(what) ? { kind: "departures", crs: what.station, via: what.to } : undefined;
}

/** Everything that is wanted now; boards' slots are whole minutes too. */
export function wantedBy(days: readonly WatchDay[], nowMs: number): readonly WantedQuestion[] {
  const sinceMs = nowMs - (nowMs % MINUTE_MS);
  return days
    .flatMap(({ watch }) => questionOf(watch.settings) ?? [])
    .map((question) => ({ question, sinceMs }));
}

/** When each question will be wanted; `openIds` are the watches that are under way. */
export function plannedBy(
  watches: readonly Watch[],
  openIds: ReadonlySet<string>,
  nowMs: number,
): readonly WatchedQuestion[] {
  const planned = new Map<string, { question: SourceQuestion; spans: TimeSpan[]; owners: Set<string> }>();
  for (const { id, ownerId, target, settings } of watches) {
    const question = questionOf(settings);
    if (question === undefined) {
      continue;
    }
    const entry = planned.get(questionKey(question)) ?? { question, spans: [], owners: new Set() };
    planned.set(questionKey(question), entry);
    entry.owners.add(target.kind === "channel" ? target.guildId : ownerId);
    for (const { fromMs, lastMs } of windowsBetween(settings, { fromMs: nowMs, toMs: nowMs + AHEAD_MS })) {
      entry.spans.push({ fromMs, toMs: lastMs + AFTER_MS });
    }
    if (openIds.has(id)) {
      entry.spans.push({ fromMs: nowMs, toMs: nowMs + GOES_ON_MS });
    }
  }
  return [...planned.values()].map(({ owners, ...each }) => ({ ...each, ownerIds: [...owners] }));
}

/** One day of a watch. Milliseconds since the epoch. */
export interface WatchWindow {
  /** UK day, "YYYY-MM-DD", that names the incident; of disruptions a number. */
  readonly day: string;
  /** When watching begins. */
  readonly fromMs: number;
  /** Trains aimed from here on … */
  readonly firstMs: number;
  /** … up to here are watched. */
  readonly lastMs: number;
}

/** Those that have begun, the earliest first, for as long as one of their trains may still be on its way. */
export function openWindows(settings: WatchSettings, nowMs: number): readonly WatchWindow[] {
  return windowsAround(settings, nowMs, { from: -1, to: 1 }).filter(
    ({ fromMs, lastMs }) => fromMs <= nowMs && nowMs <= lastMs + LONGEST_DELAY_MS,
  );
}

/** When the next one begins; `undefined` where there is none to come. Disruptions may begin at any time. */
export function nextWindowMs(settings: WatchSettings, nowMs: number): number | undefined {
  if (settings.what.kind === "network") {
    return nowMs;
  }
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

/** When a line's day without hours ends and the next begins. */
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
    const day = startDate ?? formatUkDate(Temporal.Instant.fromEpochMilliseconds(aimedMs));
    return [windowOfDay(settings, day)];
  }
  const today = dateAt(UK_TIME_ZONE, nowMs);
  return Array.from({ length: to - from + 1 }, (_, index) => today.add({ days: from + index }))
    .filter(({ dayOfWeek }) => what.days.some((day) => day === dayOfWeek))
    .map((date) => windowOfDay(settings, date.toString()));
}

/** The whole of the last minute belongs to them. */
function spanOf(hours: Hours, date: Temporal.PlainDate): Pick<WatchWindow, "firstMs" | "lastMs"> {
  const day = wallDay(UK_TIME_ZONE, date);
  const lastDay = hours.to < hours.from ? dayAfter(day) : day;
  return {
    firstMs: firstMomentFrom(day, minuteOfDay(hours.from)),
    lastMs: lastMomentUntil(lastDay, minuteOfDay(hours.to)) + MINUTE_MS - 1,
  };
}
