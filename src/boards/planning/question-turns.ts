// Decides which question's turn it is, from the plan for all running boards and the times at which their questions were asked.
// Each question counts in the plan of the source that answers it now.
import type { Clock } from "../../core/clock.ts";
import { countedMs, reserveOf } from "../../plan/budget.ts";
import type { SourcePlans } from "../../sources/compose.ts";
import type { SourceName } from "../../sources/transport-data.ts";
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

/** One moment, by the clock and as elapsed time. */
const SAME_MOMENT_MS = 1_000;

/** The questions that one source answers. */
interface Lane {
  plan: QuestionPlan;
  rateLimiter: CallRateLimiter | undefined;
}

export type QuestionTurns = ReturnType<typeof createQuestionTurns>;

/** Whose turn it is. Questions are named by {@link askKey}. Until the first `plan`, every question may be asked. */
export function createQuestionTurns({
  plans,
  sourceOf,
  cached,
  questionLog,
  clock,
}: {
  readonly plans: SourcePlans;
  /** The source that would be asked now; `undefined` if none can answer. */
  readonly sourceOf: (ask: BoardAsk) => SourceName | undefined;
  readonly cached: CachedAnswers;
  readonly questionLog: QuestionLog;
  readonly clock: Clock;
}) {
  let boards: readonly PlannedBoard[] = [];
  let watched: readonly WatchedAsk[] = [];
  let planned: ReadonlyMap<string, WantedQuestion> = new Map();
  const lanes = new Map<SourceName, Lane>();
  /** The source of each question when the plans were made. */
  let sources: ReadonlyMap<string, SourceName | undefined> = new Map();
  let foreseen: ReadonlyMap<string, number> | undefined;

  /** What another source answered takes nothing from this one's turns. */
  function lastAskedMs(ask: BoardAsk): number {
    const key = askKey(ask);
    const askedAtMs = questionLog.askedAtMs(key);
    const known = cached.get(ask);
    const isElsewhere = known !== undefined && sources.has(key) && known.value.source !== sources.get(key);
    return isElsewhere && askedAtMs <= known.askedAtMs + SAME_MOMENT_MS
      ? -Infinity
      : Math.max(askedAtMs, known?.askedAtMs ?? -Infinity);
  }

  function laneOf(ask: BoardAsk): Lane | undefined {
    const source = sources.get(askKey(ask));
    return source && lanes.get(source);
  }

  function limitedShare(ask: BoardAsk): QuestionShare | undefined {
    const own = laneOf(ask)?.plan.shares.get(askKey(ask));
    return own?.isEnough === false ? own : undefined;
  }

  function limitedOf(lane: Lane): readonly WantedQuestion[] {
    return [...planned.values()].filter(({ ask }) => laneOf(ask) === lane && limitedShare(ask));
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
    const atMs = new Map<string, number>();
    for (const lane of lanes.values()) {
      const { plan, rateLimiter } = lane;
      let freeMs = Math.max(nowMs, rateLimiter?.nextAtMs(nowMs, plan.spacingMs) ?? nowMs);
      const queue = limitedOf(lane)
        .filter(({ key }) => plan.shares.get(key)?.isActive)
        .map(({ key, ask }) => ({ key, ownMs: turnMs(ask, nowMs) }))
        .toSorted((a, b) => a.ownMs - b.ownMs);
      for (const { key, ownMs } of queue) {
        atMs.set(key, Math.max(ownMs, freeMs));
        freeMs = Math.max(ownMs, freeMs) + plan.spacingMs;
      }
    }
    return atMs;
  }

  function weightOf({ ask, spans }: Pick<WantedQuestion, "ask" | "spans">, nowMs: number): number {
    if (spans.some((span) => isOpen(span, nowMs))) {
      return WEIGHTS.watched;
    }
    const answer = cached.get(ask)?.value;
    const isSleeping = answer && isAsleep(answer, Temporal.Instant.fromEpochMilliseconds(nowMs));
    return isSleeping ? WEIGHTS.asleep : WEIGHTS.usual;
  }

  function openRateLimiter(lane: Lane): CallRateLimiter {
    return createCallRateLimiter(Math.max(0, ...limitedOf(lane).map(({ ask }) => lastAskedMs(ask))));
  }

  function share(): void {
    const nowMs = clock.now();
    planned = wantedQuestions(boards, watched);
    cached.keepOnly(new Set(planned.keys()));
    const all = [...planned.values()];
    sources = new Map(all.map(({ key, ask }) => [key, sourceOf(ask)]));
    const ofWatches = watchWeights(all, (question) => weightOf(question, nowMs));
    const questions = all.map((each) => {
      const ofBoards = each.schedules.length === 0 ? 0 : weightOf({ ...each, spans: [] }, nowMs);
      return { ...each, weight: Math.max(ofBoards, ofWatches.get(each.key) ?? 0) };
    });
    for (const [source, { terms }] of plans) {
      // The budget counts a call for this long.
      const window = { fromMs: nowMs, toMs: nowMs + countedMs(terms, source) };
      const calls = terms.calls - reserveOf(terms.calls);
      const own = questions.filter(({ key }) => sources.get(key) === source);
      lanes.set(source, {
        plan: planQuestions(own, calls, window),
        rateLimiter: lanes.get(source)?.rateLimiter,
      });
    }
    foreseen = undefined;
  }

  return {
    /** Shares the calls among the questions of these boards and watches; those that are absent are as before. */
    plan(all: { readonly boards?: readonly PlannedBoard[]; readonly watched?: readonly WatchedAsk[] }): void {
      ({ boards = boards, watched = watched } = all);
      share();
    },

    /** Shares the calls again if a question's source has changed since; returns whether one has. */
    follow(): boolean {
      const hasMoved = [...planned].some(([key, { ask }]) => sources.get(key) !== sourceOf(ask));
      if (hasMoved) {
        share();
      }
      return hasMoved;
    },

    /** How many calls all questions of a source want while one counts. */
    wantedCalls: (source: SourceName): number => lanes.get(source)?.plan.wantedCalls ?? 0,

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

    /**
     * Whether the common rate of its source's questions allows this question now; counts it if so. A question whose source
     * has changed since the last `follow` has no turn yet.
     */
    take(ask: BoardAsk): boolean {
      const key = askKey(ask);
      if (planned.has(key) && sources.get(key) !== sourceOf(ask)) {
        return false;
      }
      const lane = laneOf(ask);
      if (!lane || !limitedShare(ask)) {
        return true;
      }
      foreseen = undefined;
      lane.rateLimiter ??= openRateLimiter(lane);
      return lane.rateLimiter.take(clock.now(), lane.plan.spacingMs);
    },

    /** It was taken, but the plan had nothing left. */
    giveBack(ask: BoardAsk): void {
      const lane = laneOf(ask);
      if (lane && limitedShare(ask)) {
        lane.rateLimiter?.giveBack(lane.plan.spacingMs);
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
