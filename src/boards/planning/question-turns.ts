// Decides which questions may be asked now. Each counts in the plan of the source that would answer it now.
import { type Clock, CLOCK_TOLERANCE_MS } from "../../core/clock.ts";
import type { SourcePlans } from "../../sources/compose.ts";
import type { SourceName } from "../../sources/transport-data.ts";
import {
  type SourceQuestion,
  type WantedQuestion,
  type WatchedQuestion,
  questionKey,
  type CachedAnswers,
} from "./board-contents.ts";
import type { BoardSettings } from "../boards.ts";
import { FRESH_MS } from "../../sources/answers.ts";
import {
  type CallRateLimiter,
  type QuestionPlan,
  type QuestionShare,
  WEIGHTS,
  type PlannedQuestion,
  createCallRateLimiter,
  planForSource,
  plannedQuestions,
  weighQuestions,
} from "./question-plan.ts";
import type { Log } from "../../core/log.ts";
import type { BoardQuestionsTable } from "../board-questions-table.ts";

/** How far two records of one call may differ, because one follows the clock and the other elapsed time. */
const SAME_MOMENT_MS = 1_000;

interface SourceTurns {
  plan: QuestionPlan;
  rateLimiter: CallRateLimiter | undefined;
}

export type QuestionTurns = ReturnType<typeof createQuestionTurns>;

/** Until the first `plan`, every question may be asked. */
export function createQuestionTurns(deps: {
  readonly plans: SourcePlans;
  /** `undefined` if no source can answer the question now. */
  readonly sourceOf: (question: SourceQuestion) => SourceName | undefined;
  readonly cached: CachedAnswers;
  readonly questionLog: QuestionLog;
  readonly clock: Clock;
}) {
  const { plans, sourceOf, cached, questionLog, clock } = deps;
  let boards: readonly BoardSettings[] = [];
  let watched: readonly WatchedQuestion[] = [];
  /** The questions, each with the source that would have answered it when the calls were last shared out. */
  let planned: ReadonlyMap<string, PlannedQuestion & { readonly source: SourceName | undefined }> = new Map();
  const turnsBySource = new Map<SourceName, SourceTurns>();
  let forecast: ReadonlyMap<string, number> | undefined;

  /** -Infinity if the question was never asked. A call to a source other than its present one does not count. */
  function lastAskedMs(question: SourceQuestion): number {
    const key = questionKey(question);
    const askedAtMs = questionLog.askedAtMs(key);
    const known = cached.get(question);
    const own = planned.get(key);
    const isElsewhere = known !== undefined && own !== undefined && known.value.source !== own.source;
    return isElsewhere && askedAtMs <= known.askedAtMs + SAME_MOMENT_MS
      ? -Infinity
      : Math.max(askedAtMs, known?.askedAtMs ?? -Infinity);
  }

  function turnsOf(question: SourceQuestion): SourceTurns | undefined {
    const source = planned.get(questionKey(question))?.source;
    return source && turnsBySource.get(source);
  }

  function limitedShare(question: SourceQuestion): QuestionShare | undefined {
    const own = turnsOf(question)?.plan.shares.get(questionKey(question));
    return own?.isEnough === false ? own : undefined;
  }

  function limitedOf(turns: SourceTurns): readonly PlannedQuestion[] {
    return [...planned.values()].filter(
      ({ question }) => turnsOf(question) === turns && limitedShare(question),
    );
  }

  /** When the question's own share allows the next call, regardless of other questions. */
  function turnMs(question: SourceQuestion, neverAskedMs: number): number {
    const lastMs = lastAskedMs(question);
    const intervalMs = Math.max(FRESH_MS, limitedShare(question)?.intervalMs ?? 0);
    return lastMs === -Infinity ? neverAskedMs : lastMs + intervalMs;
  }

  /** When each question without enough calls will be asked if nothing changes. */
  function makeForecast(): ReadonlyMap<string, number> {
    const nowMs = clock.now();
    const atMs = new Map<string, number>();
    for (const turns of turnsBySource.values()) {
      const { plan, rateLimiter } = turns;
      let freeMs = Math.max(nowMs, rateLimiter?.nextAtMs(nowMs, plan.spacingMs) ?? nowMs);
      const queue = limitedOf(turns)
        .filter(({ key }) => plan.shares.get(key)?.isActive)
        .map(({ key, question }) => ({ key, ownMs: turnMs(question, nowMs) }))
        .toSorted((a, b) => a.ownMs - b.ownMs);
      for (const { key, ownMs } of queue) {
        atMs.set(key, Math.max(ownMs, freeMs));
        freeMs = Math.max(ownMs, freeMs) + plan.spacingMs;
      }
    }
    return atMs;
  }

  function shareCalls(): void {
    const nowMs = clock.now();
    const all = plannedQuestions(boards, watched).map((each) => ({
      ...each,
      source: sourceOf(each.question),
    }));
    planned = new Map(all.map((each) => [each.key, each]));
    cached.keepOnly(new Set(planned.keys()));
    const usualWeight = ({ question }: PlannedQuestion): number =>
      cached.isQuiet(question) ? WEIGHTS.quiet : WEIGHTS.normal;
    const questions = weighQuestions(all, usualWeight, nowMs);
    for (const [source, { terms }] of plans) {
      const own = questions.filter((each) => each.source === source);
      turnsBySource.set(source, {
        plan: planForSource(own, terms, source, nowMs),
        rateLimiter: turnsBySource.get(source)?.rateLimiter,
      });
    }
    forecast = undefined;
  }

  return {
    /** An absent list stays unchanged. */
    plan(all: {
      readonly boards?: readonly BoardSettings[];
      readonly watched?: readonly WatchedQuestion[];
    }): void {
      ({ boards = boards, watched = watched } = all);
      shareCalls();
    },

    /** Shares the calls again if a question's source has changed; returns whether one has. */
    followSources(): boolean {
      const hasMoved = [...planned.values()].some(({ question, source }) => source !== sourceOf(question));
      if (hasMoved) {
        shareCalls();
      }
      return hasMoved;
    },

    wantedCalls: (source: SourceName): number => turnsBySource.get(source)?.plan.wantedCalls ?? 0,

    /** The wanted questions whose turn has come: first those with enough calls, then those whose turn came earliest. */
    inTurn(wanted: readonly WantedQuestion[]): readonly SourceQuestion[] {
      const nowMs = clock.now();
      return wanted
        .map(({ question, sinceMs }) => ({
          question,
          group: limitedShare(question) ? 1 : 0,
          turnMs: turnMs(question, sinceMs),
        }))
        .filter((turn) => turn.turnMs <= nowMs)
        .toSorted((a, b) => a.group - b.group || a.turnMs - b.turnMs)
        .map(({ question }) => question);
    },

    /** Counts the call if allowed. `false` if the question's source changed since `followSources`. */
    take(question: SourceQuestion): boolean {
      const known = planned.get(questionKey(question));
      if (known !== undefined && known.source !== sourceOf(question)) {
        return false;
      }
      const turns = turnsOf(question);
      if (!turns || !limitedShare(question)) {
        return true;
      }
      forecast = undefined;
      turns.rateLimiter ??= createCallRateLimiter(
        Math.max(0, ...limitedOf(turns).map((each) => lastAskedMs(each.question))),
      );
      return turns.rateLimiter.take(clock.now(), turns.plan.spacingMs);
    },

    /** Returns a call that `take` counted but that was not made. */
    giveBack(question: SourceQuestion): void {
      const turns = turnsOf(question);
      if (turns && limitedShare(question)) {
        turns.rateLimiter?.giveBack(turns.plan.spacingMs);
      }
    },

    /** Milliseconds since the epoch; `undefined` if nobody needs the question. */
    nextTurnMs(question: SourceQuestion): number | undefined {
      const key = questionKey(question);
      forecast ??= makeForecast();
      return planned.has(key) ? (forecast.get(key) ?? turnMs(question, clock.now())) : undefined;
    },
  };
}

// The question log: after a restart, the bot must neither ask everything at once nor forget whose turn it is.

const REFRESH_MS = 60_000;
/** Even with 300 questions and 30 calls a day, each question has its turn within 13 days. */
const KEPT_MS = 14 * 24 * 60 * 60_000;
const SWEEP_MS = 24 * 60 * 60_000;

type QuestionLog = ReturnType<typeof createQuestionLog>;

/** `refresh` reads the log first. If the database fails, the times known to this process are used. */
export function createQuestionLog(questions: BoardQuestionsTable, clock: Clock, log: Log) {
  const known = new Map<string, number>();
  let readAtMs = -Infinity;
  let sweptAtMs = -Infinity;

  async function guarded(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      log.warn({ error }, "question log not read or written");
    }
  }

  /** -Infinity if never. A time in the future, which a wrong clock wrote, is ignored. */
  function askedAtMs(key: string): number {
    const atMs = known.get(key) ?? -Infinity;
    return atMs <= clock.now() + CLOCK_TOLERANCE_MS ? atMs : -Infinity;
  }

  function learn(key: string, atMs: number): void {
    known.set(key, Math.max(askedAtMs(key), atMs));
  }

  return {
    /** Reads the times that other processes have stored, at most once a minute. */
    async refresh(): Promise<void> {
      const nowMs = clock.now();
      if (Math.abs(nowMs - readAtMs) < REFRESH_MS) {
        return;
      }
      readAtMs = nowMs;
      await guarded(async () => {
        for (const { key, askedAtMs: atMs = -Infinity } of await questions.all()) {
          learn(key, atMs);
        }
        if (Math.abs(nowMs - sweptAtMs) >= SWEEP_MS) {
          sweptAtMs = nowMs;
          const oldestMs = nowMs - KEPT_MS;
          known.forEach((atMs, key) => atMs < oldestMs && known.delete(key));
          await questions.sweep(oldestMs);
        }
      });
    },
    askedAtMs,

    async note(key: string, atMs: number): Promise<void> {
      learn(key, atMs);
      await guarded(() => questions.note(key, atMs));
    },
  };
}
