// Whose turn it is: the plan over all boards that run, and the moments at which their questions were asked.
import { Temporal } from "temporal-polyfill";
import type { Clock } from "../../core/clock.ts";
import { type BudgetTerms, WINDOW_MARGIN_MS, reserveOf } from "../../plan/budget.ts";
import {
  type BoardAsk,
  type PlannedBoard,
  type TimeSpan,
  type WantedAsk,
  type WatchedAsk,
  askKey,
  asksOf,
} from "./board-data.ts";
import { FRESH_MS } from "../../sources/answers.ts";
import { isAsleep } from "./board-rows.ts";
import {
  type CallPace,
  type QuestionPlan,
  type QuestionShare,
  createCallPace,
  planQuestions,
  questionWeight,
} from "./question-plan.ts";
import type { HeldAnswers } from "./held-answers.ts";
import { type MomentBook, type QuestionDemand, createDemandCounter } from "./question-moments.ts";
import type { Schedule } from "../../time/schedule.ts";

/** Whose turn it is. Questions are named by {@link askKey}. */
export interface QuestionTurns {
  /** Shares the calls among the questions of these boards. */
  plan(boards: readonly PlannedBoard[]): void;
  /** The same for those of watches. Shares the calls anew among both. */
  watch(asks: readonly WatchedAsk[]): void;
  /** Those of the wanted that may be asked now, in order: who waits for nobody first, then whose turn came first. */
  inTurn(wanted: readonly WantedAsk[]): readonly BoardAsk[];
  /** Whether this one may go at this moment, as far as the pace of all is concerned; counts it if so. */
  take(ask: BoardAsk): boolean;
  /** It was taken, but the plan had nothing left. */
  giveBack(ask: BoardAsk): void;
  /** When it may probably be asked next, milliseconds since the epoch; `undefined` where no board that runs asks it. */
  nextTurnMs(ask: BoardAsk): number | undefined;
}

export interface QuestionTurnsDependencies {
  readonly terms: BudgetTerms;
  readonly held: HeldAnswers;
  readonly book: MomentBook;
  readonly clock: Clock;
}

const INTEREST_MS = 30 * 60_000;

/** Makes the turns of one plan; until the first `plan`, every question may be asked. */
export function createQuestionTurns({ terms, held, book, clock }: QuestionTurnsDependencies): QuestionTurns {
  // As long as the budget counts a call.
  const windowMs = terms.windowMs + WINDOW_MARGIN_MS;
  const calls = terms.calls - reserveOf(terms.calls);
  let boards: readonly PlannedBoard[] = [];
  let watched: readonly WatchedAsk[] = [];
  let planned: ReadonlyMap<string, PlannedAsk> = new Map();
  let plan: QuestionPlan = { shares: new Map(), spacingMs: Infinity };
  let pace: CallPace | undefined;
  let foreseen: ReadonlyMap<string, number> | undefined;

  function lastAskedMs(ask: BoardAsk): number | undefined {
    const times = [book.get(askKey(ask)).askedAtMs, held.get(ask)?.askedAtMs];
    return times.reduce((last, time) => (time === undefined ? last : Math.max(last ?? 0, time)), undefined);
  }

  function pacedShare(ask: BoardAsk): QuestionShare | undefined {
    const own = plan.shares.get(askKey(ask));
    return own?.isEnough === false ? own : undefined;
  }

  /** When its own part of the plan allows for it, the others left aside. */
  function turnMs(ask: BoardAsk, neverAskedMs: number): number {
    const lastMs = lastAskedMs(ask);
    const intervalMs = Math.max(FRESH_MS, pacedShare(ask)?.intervalMs ?? 0);
    return lastMs === undefined ? neverAskedMs : lastMs + intervalMs;
  }

  /** When the questions that share a pace will be asked, if nothing changes. */
  function foresee(): ReadonlyMap<string, number> {
    const nowMs = clock.now();
    let freeMs = pace?.nextAtMs(nowMs, plan.spacingMs) ?? nowMs;
    const queue = [...planned]
      .filter(([, { ask }]) => pacedShare(ask)?.isActive)
      .map(([key, { ask }]) => ({ key, turnMs: turnMs(ask, nowMs) }))
      .toSorted((a, b) => a.turnMs - b.turnMs);
    return new Map(
      queue.map((turn) => {
        const atMs = Math.max(turn.turnMs, freeMs);
        freeMs = atMs + plan.spacingMs;
        return [turn.key, atMs];
      }),
    );
  }

  function weightOf(ask: BoardAsk, isWatched: boolean, nowMs: number): number {
    const { interestAtMs = -Infinity } = book.get(askKey(ask));
    const answer = held.get(ask)?.value;
    return questionWeight({
      isOfInterest: isWatched || nowMs - interestAtMs < INTEREST_MS,
      isAsleep: answer !== undefined && isAsleep(answer, Temporal.Instant.fromEpochMilliseconds(nowMs)),
    });
  }

  function openPace(): CallPace {
    const paced = [...planned.values()].filter(({ ask }) => pacedShare(ask));
    return createCallPace(Math.max(0, ...paced.map(({ ask }) => lastAskedMs(ask) ?? 0)));
  }

  function share(): void {
    const nowMs = clock.now();
    const window = { fromMs: nowMs, toMs: nowMs + windowMs };
    planned = plannedAsks(boards, watched);
    held.keepOnly(new Set(planned.keys()));
    const demandOf = createDemandCounter(window);
    const questions = [...planned].map(([key, { ask, schedules, spans }]) => {
      const ofWatches = watchDemand(spans, window);
      return {
        key,
        weight: weightOf(ask, ofWatches.isActive, nowMs),
        ...bothDemands(demandOf(schedules), ofWatches, windowMs),
      };
    });
    plan = planQuestions(questions, { calls, windowMs });
    foreseen = undefined;
  }

  return {
    plan(all) {
      boards = all;
      share();
    },
    watch(all) {
      watched = all;
      share();
    },
    inTurn(wanted) {
      const nowMs = clock.now();
      return wanted
        .map(({ ask, sinceMs }) => ({
          ask,
          group: pacedShare(ask) ? 1 : 0,
          turnMs: turnMs(ask, sinceMs),
        }))
        .filter((turn) => turn.turnMs <= nowMs)
        .toSorted((a, b) => a.group - b.group || a.turnMs - b.turnMs)
        .map(({ ask }) => ask);
    },
    take(ask) {
      if (!pacedShare(ask)) {
        return true;
      }
      foreseen = undefined;
      pace ??= openPace();
      return pace.take(clock.now(), plan.spacingMs);
    },
    giveBack(ask) {
      if (pacedShare(ask)) {
        pace?.giveBack();
      }
    },
    nextTurnMs(ask) {
      const key = askKey(ask);
      foreseen ??= foresee();
      return planned.has(key) ? (foreseen.get(key) ?? turnMs(ask, clock.now())) : undefined;
    },
  };
}

interface PlannedAsk {
  readonly ask: BoardAsk;
  /** Of boards that ask it. */
  readonly schedules: Schedule[];
  /** Of watches that ask it. */
  readonly spans: TimeSpan[];
}

function plannedAsks(
  boards: readonly PlannedBoard[],
  watched: readonly WatchedAsk[],
): ReadonlyMap<string, PlannedAsk> {
  const planned = new Map<string, PlannedAsk>();
  function entryOf(ask: BoardAsk): PlannedAsk {
    const key = askKey(ask);
    const entry = planned.get(key) ?? { ask, schedules: [], spans: [] };
    planned.set(key, entry);
    return entry;
  }
  for (const { settings } of boards) {
    asksOf(settings).forEach((ask) => entryOf(ask).schedules.push(settings.schedule));
  }
  for (const { ask, spans } of watched) {
    entryOf(ask).spans.push(...spans);
  }
  return planned;
}

const MINUTE_MS = 60_000;

/**
 * What watches want within `window`: an answer each minute of their spans. A span that has begun counts with all of
 * it, so that what it gets is spread over the whole of it and not heaped at its end.
 */
export function watchDemand(spans: readonly TimeSpan[], window: TimeSpan): QuestionDemand {
  const windowMs = window.toMs - window.fromMs;
  const joined = join(
    spans
      .filter(({ fromMs, toMs }) => fromMs < window.toMs && window.fromMs <= toMs)
      .map(({ fromMs, toMs }) => ({ fromMs, toMs: Math.min(toMs, window.toMs) })),
  );
  const coveredMs = joined.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const activeMs = Math.min(windowMs, coveredMs);
  // A minute ahead: so long may pass until somebody counts again.
  const isActive = joined.some(({ fromMs }) => fromMs <= window.fromMs + MINUTE_MS);
  return { slots: Math.ceil(activeMs / MINUTE_MS), activeMs, isActive };
}

/** What both want. Boards' moments within the time of watches are moments of watches too. */
export function bothDemands(
  boards: QuestionDemand,
  watches: QuestionDemand,
  windowMs: number,
): QuestionDemand {
  const boardsAlone = Math.ceil(boards.slots * (1 - watches.activeMs / windowMs));
  return {
    slots: Math.min(watches.slots + boardsAlone, Math.ceil(windowMs / MINUTE_MS)),
    activeMs: Math.max(boards.activeMs, watches.activeMs),
    isActive: boards.isActive || watches.isActive,
  };
}

/** Spans without overlaps, in order. */
function join(spans: readonly TimeSpan[]): readonly TimeSpan[] {
  const joined: TimeSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = joined.at(-1);
    if (last === undefined || last.toMs < span.fromMs) {
      joined.push(span);
    } else {
      joined[joined.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, span.toMs) };
    }
  }
  return joined;
}
