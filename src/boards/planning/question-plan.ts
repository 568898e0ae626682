// How a plan's calls are shared among the questions of boards and watches.
import {
  type SourceQuestion,
  type PlannedBoard,
  type TimeSpan,
  type WatchedQuestion,
  questionKey,
  questionsOf,
} from "./board-data.ts";
import type { Schedule } from "../../time/schedule.ts";
import { countSlots, isRunning } from "../../time/slots.ts";

/** Who wants a question answered, and when. */
export interface PlannedQuestion {
  readonly key: string;
  readonly question: SourceQuestion;
  /** Of boards that ask it. */
  readonly schedules: Schedule[];
  /** Of watches that ask it, every minute within these. */
  readonly spans: TimeSpan[];
  /** Whose watches these are. */
  readonly ownerIds: string[];
}

/** Who wants it, and how much it counts beside others. */
type WeighedQuestion = Pick<PlannedQuestion, "key" | "schedules" | "spans"> & { readonly weight: number };

/** How often a question may be asked. */
export interface QuestionShare {
  /** Calls in a window. */
  readonly rate: number;
  /** Whether that is all it wants: then it is asked whenever it is wanted, and waits for nobody. */
  readonly isEnough: boolean;
  /** Otherwise: how long after one call its next turn comes. Infinity for a question that nobody wants. */
  readonly intervalMs: number;
  /** Whether it is wanted at present. */
  readonly isActive: boolean;
}

/** Who may ask how often. */
export interface QuestionPlan {
  readonly shares: ReadonlyMap<string, QuestionShare>;
  /** How many calls all of them want in the window. */
  readonly wantedCalls: number;
  /** How far apart the calls of all without enough lie at present, so that they do not come in heaps; or Infinity. */
  readonly spacingMs: number;
}

/** A question of a watch that is under way, one whose station sleeps, and all others. */
export const WEIGHTS = { watched: 3, quiet: 0.25, normal: 1 } as const;

/** An owner's watches weigh no more together than two: a way there and a way back. */
const OWNER_WEIGHT = 2 * WEIGHTS.watched;

/**
 * What the watches of each question weigh, by its key: what `weightOf` says, but no more than the shares that their
 * owners have left for it, since nobody gets more of the plan by watching more.
 */
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

/** The distinct questions of these boards and watches, by {@link questionKey}. */
export function plannedQuestions(
  boards: readonly Pick<PlannedBoard, "settings">[],
  watched: readonly WatchedQuestion[],
): ReadonlyMap<string, PlannedQuestion> {
  const wanted = new Map<string, PlannedQuestion>();
  function entryOf(question: SourceQuestion): PlannedQuestion {
    const key = questionKey(question);
    const entry = wanted.get(key) ?? { key, question, schedules: [], spans: [], ownerIds: [] };
    wanted.set(key, entry);
    return entry;
  }
  for (const { settings } of boards) {
    questionsOf(settings).forEach((question) => entryOf(question).schedules.push(settings.schedule));
  }
  for (const { question, spans, ownerIds } of watched) {
    const entry = entryOf(question);
    entry.spans.push(...spans);
    entry.ownerIds.push(...ownerIds);
  }
  return wanted;
}

/**
 * Shares fairly what boards may spend in the window. A question's part is spread over the time for which it is wanted,
 * not over the whole window: a board of the morning has its calls in the morning.
 */
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
  // What the rate limiter lets through at once counts too.
  const windowMs = window.toMs - window.fromMs;
  const wantedCalls = wanted.reduce((sum, { slots }) => sum + slots, 0);
  return { shares, wantedCalls, spacingMs: (windowMs + CATCH_UP_MS) / windowMs / callsPerMs };
}

/** Slots are whole numbers; shares are sums of fractions. */
const ROUNDING = 1e-6;

/**
 * Weighted max-min fairness, in the order of `demands`: who wants little gets all of it; what is left is shared by
 * weight among those who want more. Adds up to `amount`, or to all that is wanted where that is less.
 */
export function fairShares(
  demands: readonly { readonly most: number; readonly weight: number }[],
  amount: number,
): readonly number[] {
  // Who is satisfied most easily comes first: then all who come after want at least their part of what is left.
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

/** What is wanted of a question within a window. */
interface QuestionDemand {
  /** Moments at which an answer is wanted, at most one a minute. */
  readonly slots: number;
  /** How much of the window those moments cover: two hours of a day for a board of the morning. */
  readonly activeMs: number;
  /** Whether that time is now. Always for single times of the day, which cover nothing. */
  readonly isActive: boolean;
}

const MINUTE_MS = 60_000;

/** Counts for one window; schedules that are alike are counted once, however many questions they belong to. */
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
    // Even rows of slots fall on one another; other times come on top.
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
  // What is short of the whole by less than a slot is the whole.
  const isWhole = (slots + 1) * gapMs > toMs - fromMs;
  return { slots, activeMs: isWhole ? toMs - fromMs : slots * gapMs, isActive: isRunning(schedule, fromMs) };
}

/** Whether it is under way, or begins within a minute, since that long may pass until the questions are counted again. */
export function isOpen({ fromMs, toMs }: TimeSpan, nowMs: number): boolean {
  return fromMs <= nowMs + MINUTE_MS && nowMs <= toMs;
}

/** A span that has begun counts with all of it, so that what it gets is spread over the whole and not heaped at its end. */
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

/** How much of the past may be made up for: three ticks, so that a tick does not lose what lies before it. */
export const CATCH_UP_MS = 30_000;

export type CallRateLimiter = ReturnType<typeof createCallRateLimiter>;

/**
 * Lets calls go at an even rate, with a few at once where some were not used. `spacingMs`: how far apart they lie at
 * present. In any span there are at most as many calls as `spacingMs` fits into the span and {@link CATCH_UP_MS}
 * together, rounded up.
 */
export function createCallRateLimiter(lastCallMs: number) {
  /** When the last call went, or would have gone at an even rate. */
  let lastMs = lastCallMs;

  /** When the next call may go; may be past. */
  function nextAtMs(nowMs: number, spacingMs: number): number {
    return Math.min(lastMs, nowMs) + spacingMs;
  }

  return {
    nextAtMs,

    /** Whether one more call may go now; counts it if so. */
    take(nowMs: number, spacingMs: number): boolean {
      const dueMs = nextAtMs(nowMs, spacingMs);
      if (dueMs > nowMs) {
        return false;
      }
      lastMs = Math.max(dueMs, nowMs - CATCH_UP_MS);
      return true;
    },

    /** One call that was taken did not go. */
    giveBack(spacingMs: number): void {
      lastMs -= spacingMs;
    },
  };
}
