import {
  type SourceQuestion,
  type TimeSpan,
  type WatchedQuestion,
  questionKey,
  questionsOf,
} from "./board-contents.ts";
import type { BoardSettings } from "../boards.ts";
import { type BudgetTerms, countedMs, reservedForPeople } from "../../plan/budget.ts";
import type { SourceName } from "../../sources/transport-data.ts";
import type { Schedule } from "../../time/schedule.ts";
import { countSlots, isRunning } from "../../time/slots.ts";
import { MINUTE_MS } from "../../time/wall-clock.ts";

export interface PlannedQuestion {
  readonly key: string;
  readonly question: SourceQuestion;
  readonly schedules: Schedule[];
  /** The spans in which watches need it every minute. */
  readonly spans: TimeSpan[];
  readonly ownerIds: string[];
}

type WeighedQuestion = Pick<PlannedQuestion, "key" | "schedules" | "spans"> & { readonly weight: number };

export interface QuestionShare {
  /** Calls in a window; may be a fraction. */
  readonly rate: number;
  /** If true, it is asked whenever it is wanted, and waits for no other question. */
  readonly isEnough: boolean;
  /** If not enough: how long after one call the question's next turn comes. Infinity if the question gets no calls. */
  readonly intervalMs: number;
  readonly isActive: boolean;
}

export interface QuestionPlan {
  readonly shares: ReadonlyMap<string, QuestionShare>;
  /** How many calls all questions together want in the window. */
  readonly wantedCalls: number;
  /** Milliseconds between calls for questions without enough, so that calls are spread evenly. Infinity if there are none. */
  readonly spacingMs: number;
}

/** `watched`: an active watch needs it; `quiet`: its station is quiet. */
export const WEIGHTS = { watched: 3, quiet: 0.25, normal: 1 } as const;

/** The most that an owner's watches weigh together: as much as two, e.g. a commute there and back. */
const OWNER_WEIGHT = 2 * WEIGHTS.watched;

/** By key; lower if the question's owners have many watches: nobody gets more by watching more. */
export function watchWeights<T extends Pick<PlannedQuestion, "key" | "ownerIds">>(
  questions: readonly T[],
  weightOf: (question: T) => number,
): ReadonlyMap<string, number> {
  const weighed = questions.map((question) => ({ question, weight: weightOf(question) }));
  const totals = new Map<string, number>();
  for (const { question, weight } of weighed) {
    question.ownerIds.forEach((id) => totals.set(id, (totals.get(id) ?? 0) + weight));
  }
  return new Map(
    weighed.map(({ question: { key, ownerIds }, weight }) => {
      const parts = ownerIds.map((id) => Math.min(1, OWNER_WEIGHT / (totals.get(id) ?? weight)));
      const sum = parts.reduce((total, part) => total + part, 0);
      return [key, weight * Math.min(1, sum)];
    }),
  );
}

/** `usualWeight`: a question's weight if no watch needs it now. */
export function weighQuestions<T extends PlannedQuestion>(
  questions: readonly T[],
  usualWeight: (question: T) => number,
  nowMs: number,
): readonly (T & WeighedQuestion)[] {
  const ofWatches = watchWeights(questions, (each) =>
    each.spans.some((span) => isOpen(span, nowMs)) ? WEIGHTS.watched : usualWeight(each),
  );
  return questions.map((each) => {
    const ofBoards = each.schedules.length === 0 ? 0 : usualWeight(each);
    return { ...each, weight: Math.max(ofBoards, ofWatches.get(each.key) ?? 0) };
  });
}

/** Collects the distinct questions of these boards and watches. */
export function plannedQuestions(
  boards: readonly BoardSettings[],
  watched: readonly WatchedQuestion[],
): readonly PlannedQuestion[] {
  const wanted = new Map<string, PlannedQuestion>();
  function entryOf(question: SourceQuestion): PlannedQuestion {
    const key = questionKey(question);
    const entry = wanted.get(key) ?? { key, question, schedules: [], spans: [], ownerIds: [] };
    wanted.set(key, entry);
    return entry;
  }
  for (const settings of boards) {
    questionsOf(settings).forEach((question) => entryOf(question).schedules.push(settings.schedule));
  }
  for (const { question, spans, ownerIds } of watched) {
    const entry = entryOf(question);
    entry.spans.push(...spans);
    entry.ownerIds.push(...ownerIds);
  }
  return [...wanted.values()];
}

/** As `planQuestions`, with the calls of a source's plan that are not reserved for people. */
export function planForSource(
  questions: readonly WeighedQuestion[],
  terms: BudgetTerms,
  source: SourceName | undefined,
  nowMs: number,
): QuestionPlan {
  // The budget counts a call for this long.
  const window = { fromMs: nowMs, toMs: nowMs + countedMs(terms, source) };
  return planQuestions(questions, terms.calls - reservedForPeople(terms.calls), window);
}

/** Spreads a question's calls over the time in which it is wanted: a morning board gets its calls in the morning. */
export function planQuestions(
  questions: readonly WeighedQuestion[],
  calls: number,
  window: TimeSpan,
): QuestionPlan {
  const demandOf = createDemandCounter(window);
  const wanted = questions.map((question) => ({ ...question, ...demandOf(question) }));
  const rates = fairShares(
    wanted.map(({ slots, weight }) => ({ most: slots, weight })),
    calls,
  );
  const shares = new Map<string, QuestionShare>();
  let callsPerMs = 0;
  for (const [index, { key, slots, activeMs, isActive }] of wanted.entries()) {
    const rate = rates[index] ?? 0;
    const isEnough = rate >= slots - ROUNDING;
    const intervalMs = rate > 0 ? activeMs / rate : Infinity;
    shares.set(key, { rate, isEnough, intervalMs, isActive });
    callsPerMs += !isEnough && isActive ? 1 / intervalMs : 0;
  }
  // The calls that the rate limiter lets through together count too.
  const windowMs = window.toMs - window.fromMs;
  const wantedCalls = wanted.reduce((sum, { slots }) => sum + slots, 0);
  return { shares, wantedCalls, spacingMs: (windowMs + CATCH_UP_MS) / windowMs / callsPerMs };
}

/** Shares are sums of fractions. */
const ROUNDING = 1e-6;

/**
 * Weighted max-min fairness: small demands get all that they want, and the others share the rest by weight.
 * In the order of `demands`; the sum is `amount`, or the sum of all demands if that is less.
 */
export function fairShares(
  demands: readonly { readonly most: number; readonly weight: number }[],
  amount: number,
): readonly number[] {
  // The smallest demand for its weight comes first, so that all later ones want at least their part of the rest.
  const inOrder = [...demands.entries()].toSorted(([, a], [, b]) => a.most / a.weight - b.most / b.weight);
  const shares = demands.map(() => 0);
  let left = amount;
  let weightLeft = inOrder.reduceRight((sum, [, { weight }]) => sum + weight, 0);
  for (const [index, { most, weight }] of inOrder) {
    const share = Math.min(most, left, (left * weight) / Math.max(weight, weightLeft));
    shares[index] = share;
    left -= share;
    weightLeft -= weight;
  }
  return shares;
}

/** The demand for a question within a window. */
interface QuestionDemand {
  /** How many times an answer is wanted, at most once a minute. */
  readonly slots: number;
  /** How much of the window those times cover, e.g. two hours of a day for a board that is due from 7 to 9. */
  readonly activeMs: number;
  /** Whether the current time is part of that. Always true for fixed times of day, which count as spread over the window. */
  readonly isActive: boolean;
}

/** Slots of equal schedules are counted once for all questions. */
export function createDemandCounter(window: TimeSpan) {
  const counted = new Map<string, QuestionDemand>();
  const windowMs = window.toMs - window.fromMs;

  function ofSchedule(key: string, schedule: Schedule): QuestionDemand {
    const known = counted.get(key) ?? scheduleDemand(schedule, window);
    counted.set(key, known);
    return known;
  }

  return ({ schedules, spans }: Pick<PlannedQuestion, "schedules" | "spans">): QuestionDemand => {
    const distinct = new Map(schedules.map((schedule) => [JSON.stringify(schedule), schedule]));
    const boards = [...distinct].map(([key, schedule]) => ({
      ...ofSchedule(key, schedule),
      isEven: "every" in schedule.timing,
    }));
    const watches = watchDemand(spans, window);
    // Slots at an interval coincide, so only the most frequent schedule counts. Fixed times are added to it.
    const even = Math.max(0, ...boards.map(({ slots, isEven }) => (isEven ? slots : 0)));
    const others = boards.reduce((sum, { slots, isEven }) => sum + (isEven ? 0 : slots), 0);
    return {
      slots: Math.min(even + others + watches.slots, Math.ceil(windowMs / MINUTE_MS)),
      activeMs: Math.min(windowMs, Math.max(watches.activeMs, ...boards.map(({ activeMs }) => activeMs))),
      isActive: watches.isActive || boards.some(({ isActive }) => isActive),
    };
  };
}

function scheduleDemand(schedule: Schedule, { fromMs, toMs }: TimeSpan): QuestionDemand {
  const slots = countSlots(schedule, fromMs, toMs);
  if (!("every" in schedule.timing)) {
    return { slots, activeMs: toMs - fromMs, isActive: true };
  }
  const gapMs = schedule.timing.every * MINUTE_MS;
  // A schedule that covers the window except for less than one interval covers all of it.
  const isWhole = (slots + 1) * gapMs > toMs - fromMs;
  return { slots, activeMs: isWhole ? toMs - fromMs : slots * gapMs, isActive: isRunning(schedule, fromMs) };
}

/** Whether a span includes `nowMs` or begins within a minute, because the questions may not be counted again before then. */
function isOpen({ fromMs, toMs }: TimeSpan, nowMs: number): boolean {
  return fromMs <= nowMs + MINUTE_MS && nowMs <= toMs;
}

/** Counts a span that has begun as a whole, so that its calls are spread over all of it instead of crowded at its end. */
function watchDemand(spans: readonly TimeSpan[], window: TimeSpan): QuestionDemand {
  const minutes = new Set<number>();
  for (const { fromMs, toMs } of spans.filter((span) => window.fromMs <= span.toMs)) {
    for (let atMs = fromMs; atMs < Math.min(toMs, window.toMs); atMs += MINUTE_MS) {
      minutes.add(Math.floor(atMs / MINUTE_MS));
    }
  }
  return {
    slots: minutes.size,
    activeMs: minutes.size * MINUTE_MS,
    isActive: spans.some((span) => isOpen(span, window.fromMs)),
  };
}

/** How much unused time may be made up for: three ticks, so that a tick can use the time since the one before. */
export const CATCH_UP_MS = 30_000;

export type CallRateLimiter = ReturnType<typeof createCallRateLimiter>;

/**
 * Lets calls through at an even rate, and a few at once after unused time: within any span, at most (span +
 * {@link CATCH_UP_MS}) / `spacingMs`, rounded up.
 */
export function createCallRateLimiter(lastCallMs: number) {
  /** When the last call was made, or would have been made at an even rate. */
  let lastMs = lastCallMs;

  /** May be in the past. */
  function nextAtMs(nowMs: number, spacingMs: number): number {
    return Math.min(lastMs, nowMs) + spacingMs;
  }

  return {
    nextAtMs,

    /** Counts the call if it is allowed. */
    take(nowMs: number, spacingMs: number): boolean {
      const dueMs = nextAtMs(nowMs, spacingMs);
      if (dueMs > nowMs) {
        return false;
      }
      lastMs = Math.max(dueMs, nowMs - CATCH_UP_MS);
      return true;
    },

    /** Returns a call that was counted but not made. */
    giveBack(spacingMs: number): void {
      lastMs -= spacingMs;
    },
  };
}
