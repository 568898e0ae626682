// A commute without any direct train would stay silent, as if everything were well.
import { ServiceError } from "../core/errors.ts";
import { type BoardDependencies, askBoard, liveQuestion } from "../rail/departures.ts";
import { MINUTE_MS, instantAt } from "../time/wall-clock.ts";
import { windowsBetween } from "./watch-days.ts";
import type { WatchSettings, WatchedCommute } from "./watches.ts";

/** How far ahead to look for the next day of a commute: its days recur within a week, and today's hours may be over. */
const AHEAD_MS = 8 * 24 * 60 * MINUTE_MS;

/** "YYYY-MM-DD"; no direct train is planned within the commute's hours. */
export interface EmptyDay {
  readonly commute: WatchedCommute;
  readonly day: string;
}

/** A check costs one request for a commute and none for other watches. */
export function createFindEmptyDay(deps: BoardDependencies) {
  /** The next day of a commute if it is empty; `undefined` if it has trains or no source can tell. */
  return async (settings: WatchSettings): Promise<EmptyDay | undefined> => {
    const { what } = settings;
    if (what.kind !== "commute") {
      return undefined;
    }
    const nowMs = deps.clock.now();
    const span = { fromMs: nowMs, toMs: nowMs + AHEAD_MS };
    const next = windowsBetween(settings, span).find(({ firstMs }) => nowMs <= firstMs);
    if (next === undefined) {
      return undefined;
    }
    const { day, firstMs, lastMs } = next;
    const question = {
      ...liveQuestion({ kind: "departures", crs: what.station, via: what.to }),
      from: instantAt(firstMs),
      windowMinutes: Math.ceil((lastMs - firstMs) / MINUTE_MS),
      live: false,
    };
    try {
      const { value } = await askBoard(deps, question);
      const isWhole = value.coversUntil.epochMilliseconds >= lastMs;
      return isWhole && value.rows.length === 0 ? { commute: what, day } : undefined;
    } catch (error) {
      if (error instanceof ServiceError) {
        return undefined;
      }
      throw error;
    }
  };
}
