// How often a question is wanted, by the schedules of all boards that show its answer.
import type { TimeSpan } from "./board-data.ts";
import type { Schedule } from "../schedule/schedule.ts";
import { countSlots, isRunning } from "../schedule/slots.ts";

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
