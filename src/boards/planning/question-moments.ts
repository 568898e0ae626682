// When each question of boards was asked last, and when somebody took an interest in it: kept in the database, so that
// a restart neither asks everything at once nor forgets whose turn it is.
import { CLOCK_TOLERANCE_MS, type Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { BoardQuestionRecord, BoardQuestionsTable } from "../board-questions-table.ts";
import type { TimeSpan } from "./board-data.ts";
import type { Schedule } from "../../time/schedule.ts";
import { countSlots, isRunning } from "../../time/slots.ts";

/** What is remembered of a question; all of it may be unknown. */
export type QuestionMoments = Partial<Omit<BoardQuestionRecord, "key">>;

/** The moments of all questions. A database that fails is logged; what this process knows is used then. */
export interface MomentBook {
  /** Takes over what other processes have noted, if the last time was a minute ago. */
  refresh(): Promise<void>;
  get(key: string): QuestionMoments;
  note(
    key: string,
    moments: { readonly askedAtMs: number } | { readonly interestAtMs: number },
  ): Promise<void>;
}

const REFRESH_MS = 60_000;
/** With 30 calls a day, 300 questions come round in 13 days. */
const KEPT_MS = 60 * 24 * 60 * 60_000;
const SWEEP_MS = 24 * 60 * 60_000;

/** Opens the book; it is read at the first `refresh`. */
export function createMomentBook({
  questions,
  clock,
  log,
}: {
  readonly questions: BoardQuestionsTable;
  readonly clock: Clock;
  readonly log: Log;
}): MomentBook {
  const book = new Map<string, QuestionMoments>();
  let readAtMs = -Infinity;
  let sweptAtMs = -Infinity;

  async function guarded(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      log.warn({ error }, "what boards asked when cannot be kept or read");
    }
  }

  function get(key: string): QuestionMoments {
    const { askedAtMs, interestAtMs } = book.get(key) ?? {};
    const nowMs = clock.now();
    return {
      askedAtMs: believable(askedAtMs, nowMs),
      interestAtMs: believable(interestAtMs, nowMs),
    };
  }

  function merge(key: string, { askedAtMs, interestAtMs }: QuestionMoments): void {
    const known = get(key);
    book.set(key, {
      askedAtMs: latest(known.askedAtMs, askedAtMs),
      interestAtMs: latest(known.interestAtMs, interestAtMs),
    });
  }

  return {
    async refresh() {
      const nowMs = clock.now();
      if (Math.abs(nowMs - readAtMs) < REFRESH_MS) {
        return;
      }
      readAtMs = nowMs;
      await guarded(async () => {
        for (const { key, askedAtMs, interestAtMs } of await questions.all()) {
          merge(key, {
            askedAtMs: believable(askedAtMs, nowMs),
            interestAtMs: believable(interestAtMs, nowMs),
          });
        }
        if (Math.abs(nowMs - sweptAtMs) >= SWEEP_MS) {
          sweptAtMs = nowMs;
          await questions.sweep(nowMs - KEPT_MS);
        }
      });
    },
    get,
    async note(key, moments) {
      merge(key, moments);
      await guarded(() => questions.note(key, moments));
    },
  };
}

/** A clock was wrong once: a moment that is yet to come would keep its question waiting until then. */
function believable(atMs: number | undefined, nowMs: number): number | undefined {
  return atMs !== undefined && atMs <= nowMs + CLOCK_TOLERANCE_MS ? atMs : undefined;
}

function latest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : other === undefined ? one : Math.max(one, other);
}

/** What a question's boards want of it within a span. */
export interface QuestionDemand {
  /** Distinct moments at which an answer is wanted, at most one a minute. */
  readonly slots: number;
  /** How much of the span those moments cover: two hours of a day for a board of the morning. */
  readonly activeMs: number;
  /** Whether that time is now. Always for single times of the day, which cover nothing. */
  readonly isActive: boolean;
}

const MINUTE_MS = 60_000;

/** Counts for one span; schedules that are alike are counted once, however many questions they belong to. */
export function createDemandCounter({
  fromMs,
  toMs,
}: TimeSpan): (schedules: readonly Schedule[]) => QuestionDemand {
  const counted = new Map<string, QuestionDemand>();
  const spanMs = toMs - fromMs;

  function runOf(schedule: Schedule, key = JSON.stringify(schedule)): QuestionDemand {
    const run = counted.get(key) ?? countRun(schedule, { fromMs, toMs });
    counted.set(key, run);
    return run;
  }

  return (schedules) => {
    const regular = schedules.filter(({ timing }) => "every" in timing).map((schedule) => runOf(schedule));
    const single = new Map(
      schedules.flatMap(singleTimes).map((schedule) => [JSON.stringify(schedule), schedule]),
    );
    const singleSlots = [...single].map(([key, schedule]) => runOf(schedule, key).slots);
    const longest = regular.toSorted((a, b) => b.slots - a.slots)[0];
    const slots = (longest?.slots ?? 0) + singleSlots.reduce((sum, count) => sum + count, 0);
    return {
      slots: Math.min(slots, Math.ceil(spanMs / MINUTE_MS)),
      activeMs:
        single.size > 0 ? spanMs : Math.min(spanMs, Math.max(...regular.map((run) => run.activeMs), 0)),
      isActive: single.size > 0 || regular.some((run) => run.isActive),
    };
  };
}

function countRun(schedule: Schedule, { fromMs, toMs }: TimeSpan): QuestionDemand {
  const slots = countSlots(schedule, fromMs, toMs);
  const gapMs = "every" in schedule.timing ? schedule.timing.every * MINUTE_MS : 0;
  const coveredMs = slots * gapMs;
  return {
    slots,
    // What is short of the whole by less than a slot is the whole.
    activeMs: coveredMs + gapMs > toMs - fromMs ? toMs - fromMs : coveredMs,
    isActive: isRunning(schedule, fromMs),
  };
}

/** A schedule for each of the times, so that a time that several boards share is counted once. */
function singleTimes(schedule: Schedule): readonly Schedule[] {
  const { timing } = schedule;
  return "at" in timing ? timing.at.map((time) => ({ ...schedule, timing: { at: [time] } })) : [];
}
