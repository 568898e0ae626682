// The days of watches that are under way, and what watches want to know.
import { LRUCache } from "lru-cache";
import type { Log } from "../../core/log.ts";
import { incidentKey, type IncidentRecord } from "../../storage/incidents-table.ts";
import type { WatchRecord } from "../../storage/watches-table.ts";
import {
  askKey,
  type BoardAsk,
  type TimeSpan,
  type WantedAsk,
  type WatchedAsk,
} from "../board-data/board-data.ts";
import { watchOf } from "./read-watch.ts";
import { parseWatchSettings } from "./watch-settings.ts";
import type { Watch, WatchSettings } from "./watches.ts";
import { openWindows, windowOfDay, windowsBetween, type WatchWindow } from "./watch-windows.ts";

/** A watch with the row that it was read from. */
export interface ReadWatch {
  readonly record: WatchRecord;
  readonly watch: Watch;
}

/** A day of a watch that is not over yet. */
export interface WatchDay extends ReadWatch {
  readonly window: WatchWindow;
  /** `undefined` where nothing is known of it. */
  readonly row: IncidentRecord | undefined;
}

const MINUTE_MS = 60_000;
/** For the plan, a day ends so long after its last minute; more would be saved for late trains and not used. */
const AFTER_MS = 5 * MINUTE_MS;
/** For the plan, what is still under way goes on for so long: then there is another plan. */
const GOES_ON_MS = 10 * MINUTE_MS;
/** The plan of a day is looked at as a whole. */
const AHEAD_MS = 25 * 60 * MINUTE_MS;

/** Under a kilobyte each. */
const MOST_SETTINGS_KEPT = 5_000;

/** Reads the watches that run again and again, but parses each text once; leaves out what cannot be read, a bug. */
export function createWatchReader(log: Log): (records: readonly WatchRecord[]) => readonly ReadWatch[] {
  const known = new LRUCache<string, WatchSettings>({ max: MOST_SETTINGS_KEPT });

  function parse(json: string): WatchSettings {
    const settings = known.get(json) ?? parseWatchSettings(json);
    known.set(json, settings);
    return settings;
  }

  return (records) =>
    records.flatMap((record) => {
      try {
        return [{ record, watch: watchOf(record, parse(record.settings)) }];
      } catch (error) {
        log.error({ error, watch: record.id }, "a watch cannot be read; it does not run");
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

/** Names the incident of a day. */
export function keyOfDay({ watch, window }: WatchDay): string {
  return incidentKey({ watchId: watch.id, day: window.day });
}

/** What a watch asks: the question of a board with the same stations. */
export function askOf({ what: { station, to } }: WatchSettings): BoardAsk {
  return { kind: "departures", crs: station, via: to };
}

/** Everything that is wanted now, each question once; boards' slots are whole minutes too. */
export function wantedBy(days: readonly WatchDay[], nowMs: number): readonly WantedAsk[] {
  const sinceMs = nowMs - (nowMs % MINUTE_MS);
  const asks = days.map(({ watch }) => askOf(watch.settings));
  return [...new Map(asks.map((ask) => [askKey(ask), { ask, sinceMs }])).values()];
}

/** When each question will be wanted; `openIds` are the watches that are under way. */
export function plannedBy(
  watches: readonly Watch[],
  openIds: ReadonlySet<string>,
  nowMs: number,
): readonly WatchedAsk[] {
  const planned = new Map<string, { readonly ask: BoardAsk; readonly spans: TimeSpan[] }>();
  for (const { id, settings } of watches) {
    const ask = askOf(settings);
    const entry = planned.get(askKey(ask)) ?? { ask, spans: [] };
    planned.set(askKey(ask), entry);
    for (const { fromMs, lastMs } of windowsBetween(settings, { fromMs: nowMs, toMs: nowMs + AHEAD_MS })) {
      entry.spans.push({ fromMs, toMs: lastMs + AFTER_MS });
    }
    if (openIds.has(id)) {
      entry.spans.push({ fromMs: nowMs, toMs: nowMs + GOES_ON_MS });
    }
  }
  return [...planned.values()];
}
