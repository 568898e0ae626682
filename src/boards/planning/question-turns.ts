// Whose turn it is: the plan over all boards that run, and the times at which their questions were asked.
import { Temporal } from "temporal-polyfill";
import type { Clock } from "../../core/clock.ts";
import { type BudgetTerms, countedMs, reserveOf } from "../../plan/budget.ts";
import { type BoardAsk, type PlannedBoard, type WantedAsk, type WatchedAsk, askKey } from "./board-data.ts";
import { FRESH_MS } from "../../sources/answers.ts";
import { isAsleep } from "./board-rows.ts";
import {
  type CallRateLimiter,
  type QuestionPlan,
  type QuestionShare,
  WEIGHTS,
  type WantedQuestion,
  createCallRateLimiter,
  isOpen,
  planQuestions,
  wantedQuestions,
  watchWeights,
} from "./question-plan.ts";
import type { CachedAnswers } from "./board-contents.ts";
import type { QuestionLog } from "./question-log.ts";

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
  const windowMs = countedMs(terms);
  const calls = terms.calls - reserveOf(terms.calls);
  let boards: readonly PlannedBoard[] = [];
  let watched: readonly WatchedAsk[] = [];
  let planned: ReadonlyMap<string, WantedQuestion> = new Map();
  let plan: QuestionPlan = { shares: new Map(), wantedCalls: 0, spacingMs: Infinity };
  let rateLimiter: CallRateLimiter | undefined;
  let foreseen: ReadonlyMap<string, number> | undefined;

  function lastAskedMs(ask: BoardAsk): number {
    return Math.max(questionLog.get(askKey(ask)).askedAtMs, cached.get(ask)?.askedAtMs ?? -Infinity);
  }

  function limitedShare(ask: BoardAsk): QuestionShare | undefined {
    const own = plan.shares.get(askKey(ask));
    return own?.isEnough === false ? own : undefined;
  }

  /** When its own part of the plan allows for it, the others left aside. */
  function turnMs(ask: BoardAsk, neverAskedMs: number): number {
    const lastMs = lastAskedMs(ask);
    const intervalMs = Math.max(FRESH_MS, limitedShare(ask)?.intervalMs ?? 0);
    return lastMs === -Infinity ? neverAskedMs : lastMs + intervalMs;
  }

  /** When the questions that share a rate will be asked, if nothing changes. */
  function foresee(): ReadonlyMap<string, number> {
    const nowMs = clock.now();
    let freeMs = Math.max(nowMs, rateLimiter?.nextAtMs(nowMs, plan.spacingMs) ?? nowMs);
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

  function weightOf(
    { ask, key, spans }: Pick<WantedQuestion, "ask" | "key" | "spans">,
    nowMs: number,
  ): number {
    const { interestAtMs } = questionLog.get(key);
    if (nowMs - interestAtMs < INTEREST_MS || spans.some((span) => isOpen(span, nowMs))) {
      return WEIGHTS.ofInterest;
    }
    const answer = cached.get(ask)?.value;
    const isSleeping = answer && isAsleep(answer, Temporal.Instant.fromEpochMilliseconds(nowMs));
    return isSleeping ? WEIGHTS.asleep : WEIGHTS.usual;
  }

  function openRateLimiter(): CallRateLimiter {
    const limited = [...planned.values()].filter(({ ask }) => limitedShare(ask));
    return createCallRateLimiter(Math.max(0, ...limited.map(({ ask }) => lastAskedMs(ask))));
  }

  function share(): void {
    const nowMs = clock.now();
    planned = wantedQuestions(boards, watched);
    cached.keepOnly(new Set(planned.keys()));
    const window = { fromMs: nowMs, toMs: nowMs + windowMs };
    const all = [...planned.values()];
    const ofWatches = watchWeights(all, (question) => weightOf(question, nowMs));
    const questions = all.map((each) => {
      const ofBoards = each.schedules.length === 0 ? 0 : weightOf({ ...each, spans: [] }, nowMs);
      return { ...each, weight: Math.max(ofBoards, ofWatches.get(each.key) ?? 0) };
    });
    plan = planQuestions(questions, calls, window);
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

    /** How many calls all of them want while one counts. */
    wantedCalls: () => plan.wantedCalls,

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

    /** Whether the common rate allows this question now; counts it if so. */
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
        rateLimiter?.giveBack(plan.spacingMs);
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
