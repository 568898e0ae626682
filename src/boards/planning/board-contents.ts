// A board's content from the answers in the cache, and when it will be renewed.
import { Temporal } from "temporal-polyfill";
import type { TransportBoard } from "../../sources/transport-data.ts";
import type { Clock } from "../../core/clock.ts";
import type { Stale } from "../../sources/answers.ts";
import type { Board } from "../../rail/departures.ts";
import type { Stations } from "../../rail/stations.ts";
import { type BoardAsk, asksOf } from "./board-data.ts";
import { boardOf, boardQuestion } from "./board-rows.ts";
import type { BoardContent, BoardSettings } from "../boards.ts";
import type { CachedAnswers } from "./cached-answers.ts";
import type { QuestionTurns } from "./question-turns.ts";
import { nextSlot } from "../../time/slots.ts";

/** A board as it was worked out for one minute from these answers. */
interface Made {
  readonly minute: number;
  readonly answers: readonly TransportBoard[];
  readonly board: Board | undefined;
}

export function createBoardContents({
  cached,
  turns,
  stations,
  clock,
}: {
  readonly cached: CachedAnswers;
  readonly turns: QuestionTurns;
  readonly stations: Pick<Stations, "byCrs">;
  readonly clock: Clock;
}) {
  // Hundreds of boards are worked out at one moment; many share their settings.
  const made = new WeakMap<BoardSettings, Made>();
  const slots = new WeakMap<
    BoardSettings,
    { readonly fromMs: number; readonly slotMs: number | undefined }
  >();

  function boardNow(settings: BoardSettings, nowMs: number): Board | undefined {
    const answers = asksOf(settings).map((ask) => cached.get(ask)?.value);
    const known = answers.filter((answer) => answer !== undefined);
    if (known.length < answers.length) {
      // A part of the trains would look like all of them.
      return undefined;
    }
    const minute = Math.floor(nowMs / 60_000);
    const last = made.get(settings);
    if (last?.minute === minute && known.every((answer, index) => answer === last.answers[index])) {
      return last.board;
    }
    const now = Temporal.Instant.fromEpochMilliseconds(nowMs);
    const board = boardOf(boardQuestion(settings, stations), known, now);
    made.set(settings, { minute, answers: known, board });
    return board;
  }

  /** The question whose answer is the oldest will be asked at its turn, and only when a board's slot has come. */
  function nextDataMs(settings: BoardSettings, nowMs: number): number | undefined {
    const [oldest] = asksOf(settings).toSorted((a, b) => askedAtMs(a) - askedAtMs(b));
    const turnMs = oldest && turns.nextTurnMs(oldest);
    const slotMs = turnMs === undefined ? undefined : slotAfter(settings, nowMs);
    return turnMs === undefined || slotMs === undefined ? undefined : Math.max(turnMs, slotMs);
  }

  function askedAtMs(ask: BoardAsk): number {
    return cached.get(ask)?.askedAtMs ?? 0;
  }

  function slotAfter(settings: BoardSettings, nowMs: number): number | undefined {
    const known = slots.get(settings);
    if (known !== undefined && known.fromMs <= nowMs && nowMs < (known.slotMs ?? Infinity)) {
      return known.slotMs;
    }
    const slotMs = nextSlot(settings.schedule, nowMs);
    slots.set(settings, { fromMs: nowMs, slotMs });
    return slotMs;
  }

  /** `stale`: why the data is no younger, for a person who asked for it. Boards of equal content share one `Board`. */
  return (settings: BoardSettings, stale?: Stale): BoardContent => {
    const nowMs = clock.now();
    const board = boardNow(settings, nowMs);
    return {
      settings,
      board: board && stale ? { ...board, stale } : board,
      nextDataMs: nextDataMs(settings, nowMs),
    };
  };
}
