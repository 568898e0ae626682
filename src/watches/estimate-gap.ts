// Before a watch is saved, its owner learns if the plan is too small to check often.
import type { BoardsTable } from "../boards/boards-table.ts";
import { createBoardReader } from "../boards/boards.ts";
import { estimateDataGap } from "../boards/planning/estimate-gap.ts";
import { plannedQuestions } from "../boards/planning/question-plan.ts";
import type { Platform } from "../core/ports.ts";
import { liveQuestion } from "../rail/departures.ts";
import type { Sources } from "../sources/compose.ts";
import { createWatchReader, nextWindowMs, openWindows, questionOf, watchedQuestions } from "./watch-days.ts";
import type { Watch } from "./watches.ts";
import type { WatchesTable } from "./watches-table.ts";

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
