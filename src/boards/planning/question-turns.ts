// Whose turn it is: the plan over all boards that run, and the times at which their questions were asked.
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
  type CallRateLimiter,
  type QuestionPlan,
  type QuestionShare,
  createCallRateLimiter,
  planQuestions,
  questionWeight,
} from "./question-plan.ts";
import type { CachedAnswers } from "./board-contents.ts";
import { bothDemands, createDemandCounter, watchDemand } from "./question-demand.ts";
import type { QuestionLog } from "./question-log.ts";
import type { Schedule } from "../../time/schedule.ts";

const INTEREST_MS = 30 * 60_000;

export type QuestionTurns = ReturnType<typeof createQuestionTurns>;

/** Whose turn it is. Questions are named by {@link askKey}. Until the first `plan`, every question may be asked. */
export function createQuestionTurns({
  terms,
  cached,
  questionLog,
  clock,
}: {
  readonly terms: BudgetTerms;
  readonly cached: CachedAnswers;
  readonly questionLog: QuestionLog;
  readonly clock: Clock;
}) {
  // As long as the budget counts a call.
  const windowMs = terms.windowMs + WINDOW_MARGIN_MS;
  const calls = terms.calls - reserveOf(terms.calls);
  let boards: readonly PlannedBoard[] = [];
  let watched: readonly WatchedAsk[] = [];
  let planned: ReadonlyMap<string, PlannedAsk> = new Map();
  let plan: QuestionPlan = { shares: new Map(), spacingMs: Infinity };
  let rateLimiter: CallRateLimiter | undefined;
  let foreseen: ReadonlyMap<string, number> | undefined;

  function lastAskedMs(ask: BoardAsk): number | undefined {
    const times = [questionLog.get(askKey(ask)).askedAtMs, cached.get(ask)?.askedAtMs];
    return times.reduce((last, time) => (time === undefined ? last : Math.max(last ?? 0, time)), undefined);
  }

  function limitedShare(ask: BoardAsk): QuestionShare | undefined {
    const own = plan.shares.get(askKey(ask));
    return own?.isEnough === false ? own : undefined;
  }

  /** When its own part of the plan allows for it, the others left aside. */
  function turnMs(ask: BoardAsk, neverAskedMs: number): number {
    const lastMs = lastAskedMs(ask);
    const intervalMs = Math.max(FRESH_MS, limitedShare(ask)?.intervalMs ?? 0);
    return lastMs === undefined ? neverAskedMs : lastMs + intervalMs;
  }

  /** When the questions that share a rate will be asked, if nothing changes. */
  function foresee(): ReadonlyMap<string, number> {
    const nowMs = clock.now();
    let freeMs = rateLimiter?.nextAtMs(nowMs, plan.spacingMs) ?? nowMs;
    const queue = [...planned]
      .filter(([, { ask }]) => limitedShare(ask)?.isActive)
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
    const { interestAtMs = -Infinity } = questionLog.get(askKey(ask));
    const answer = cached.get(ask)?.value;
    return questionWeight({
      isOfInterest: isWatched || nowMs - interestAtMs < INTEREST_MS,
      isAsleep: answer !== undefined && isAsleep(answer, Temporal.Instant.fromEpochMilliseconds(nowMs)),
    });
  }

  function openRateLimiter(): CallRateLimiter {
    const limited = [...planned.values()].filter(({ ask }) => limitedShare(ask));
    return createCallRateLimiter(Math.max(0, ...limited.map(({ ask }) => lastAskedMs(ask) ?? 0)));
  }

  function share(): void {
    const nowMs = clock.now();
    const window = { fromMs: nowMs, toMs: nowMs + windowMs };
    planned = plannedAsks(boards, watched);
    cached.keepOnly(new Set(planned.keys()));
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
    /** Shares the calls among the questions of these boards. */
    plan(all: readonly PlannedBoard[]): void {
      boards = all;
      share();
    },

    /** The same for those of watches. Shares the calls again among both. */
    watch(all: readonly WatchedAsk[]): void {
      watched = all;
      share();
    },

    /** Those of the wanted that may be asked now: first those that wait for no other, then by whose turn came first. */
    inTurn(wanted: readonly WantedAsk[]): readonly BoardAsk[] {
      const nowMs = clock.now();
      return wanted
        .map(({ ask, sinceMs }) => ({
          ask,
          group: limitedShare(ask) ? 1 : 0,
          turnMs: turnMs(ask, sinceMs),
        }))
        .filter((turn) => turn.turnMs <= nowMs)
        .toSorted((a, b) => a.group - b.group || a.turnMs - b.turnMs)
        .map(({ ask }) => ask);
    },

    /** Whether this one may go at this moment, as far as the rate of all is concerned; counts it if so. */
    take(ask: BoardAsk): boolean {
      if (!limitedShare(ask)) {
        return true;
      }
      foreseen = undefined;
      rateLimiter ??= openRateLimiter();
      return rateLimiter.take(clock.now(), plan.spacingMs);
    },

    /** It was taken, but the plan had nothing left. */
    giveBack(ask: BoardAsk): void {
      if (limitedShare(ask)) {
        rateLimiter?.giveBack();
      }
    },

    /** When it may probably be asked next, milliseconds since the epoch; `undefined` where no board that runs asks it. */
    nextTurnMs(ask: BoardAsk): number | undefined {
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
