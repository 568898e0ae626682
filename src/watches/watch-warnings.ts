// What a watch's owner should know before saving it: that the plan is too small to check often, or that a commute has no trains.
import type { BoardsTable } from "../boards/boards-table.ts";
import { createBoardReader } from "../boards/boards.ts";
import { estimateDataGap } from "../boards/planning/estimate-gap.ts";
import { plannedQuestions } from "../boards/planning/question-plan.ts";
import type { Platform } from "../core/ports.ts";
import { liveQuestion, type BoardDependencies, askBoard } from "../rail/departures.ts";
import type { Sources } from "../sources/compose.ts";
import {
  createWatchReader,
  nextWindowMs,
  openWindows,
  questionOf,
  watchedQuestions,
  windowsBetween,
} from "./watch-days.ts";
import type { Watch, WatchSettings, WatchedCommute } from "./watches.ts";
import type { WatchesTable } from "./watches-table.ts";
import { ServiceError } from "../core/errors.ts";
import { MINUTE_MS, instantAt } from "../time/wall-clock.ts";

/** Trains seldom change much within this time. */
const SHORT_GAP_MS = 5 * 60_000;
/** A plan with this many calls is enough for thousands of watches; reading them would take half a second. */
const AMPLE_MS_PER_CALL = 1_000;

export function createEstimateGap(
  deps: Pick<Platform, "clock" | "log"> &
    Pick<Sources, "plans" | "answering"> & {
      readonly watches: Pick<WatchesTable, "active">;
      readonly boards: Pick<BoardsTable, "activeSettings">;
    },
) {
  const { watches, boards, plans, answering, clock, log } = deps;
  const readWatches = createWatchReader(log);
  const readBoards = createBoardReader(log);

  /**
   * The time between two checks of a watch on its next day, in milliseconds; `undefined` if it is short. Infinity if the
   * plan has no calls for watches.
   */
  return async (draft: Watch): Promise<number | undefined> => {
    const { settings } = draft;
    const question = questionOf(settings);
    const source = question && answering(liveQuestion(question));
    const terms = source && plans.get(source)?.terms;
    if (question === undefined || (terms && terms.windowMs / terms.calls <= AMPLE_MS_PER_CALL)) {
      return undefined;
    }
    const nowMs = clock.now();
    const isOpen = openWindows(settings, nowMs).length > 0;
    const atMs = isOpen ? nowMs : (nextWindowMs(settings, nowMs) ?? nowMs);
    const [savedBoards, savedWatches] = await Promise.all([
      boards.activeSettings(undefined),
      watches.active(),
    ]);
    const all = plannedQuestions(
      readBoards(savedBoards).map((board) => board.settings),
      watchedQuestions([...readWatches(savedWatches).map(({ watch }) => watch), draft], new Set(), atMs),
    );
    const gapMs = estimateDataGap([question], all, deps, atMs) ?? 0;
    return gapMs > SHORT_GAP_MS ? gapMs : undefined;
  };
}

// A commute without any direct train would stay silent, as if everything were well.

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
