// How often a question is wanted: by the schedules of all boards that show its answer, and by watches.
import type { TimeSpan } from "./board-data.ts";
import type { Schedule } from "../../time/schedule.ts";
import { countSlots, isRunning } from "../../time/slots.ts";

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
