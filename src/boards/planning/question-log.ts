// The log of boards' questions: when each was asked last, and when somebody took an interest in it. It is kept in the
// database, so that a restart neither asks everything at once nor forgets whose turn it is.
import { CLOCK_TOLERANCE_MS, type Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { BoardQuestionsTable } from "../board-questions-table.ts";

/** When a question was asked last, and when somebody took an interest in it; -Infinity for never. */
interface QuestionTimes {
  readonly askedAtMs: number;
  readonly interestAtMs: number;
}

const REFRESH_MS = 60_000;
/** With 30 calls a day, 300 questions come round in 13 days. */
const KEPT_MS = 60 * 24 * 60 * 60_000;
const SWEEP_MS = 24 * 60 * 60_000;

export type QuestionLog = ReturnType<typeof createQuestionLog>;

/** It is read at the first `refresh`. A database that fails is logged; what this process knows is used then. */
export function createQuestionLog({
  questions,
  clock,
  log,
}: {
  readonly questions: BoardQuestionsTable;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const known = new Map<string, QuestionTimes>();
  let readAtMs = -Infinity;
  let sweptAtMs = -Infinity;

  async function guarded(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      log.warn({ error }, "question log not read or written");
    }
  }

  /** A time that is yet to come counts as none: a clock was wrong once, and its question would wait until then. */
  function believed(atMs = -Infinity): number {
    return atMs <= clock.now() + CLOCK_TOLERANCE_MS ? atMs : -Infinity;
  }

  function get(key: string): QuestionTimes {
    const times = known.get(key);
    return { askedAtMs: believed(times?.askedAtMs), interestAtMs: believed(times?.interestAtMs) };
  }

  function merge(
    key: string,
    times: { readonly askedAtMs?: number | undefined; readonly interestAtMs?: number | undefined },
  ): void {
    const { askedAtMs, interestAtMs } = get(key);
    known.set(key, {
      askedAtMs: Math.max(askedAtMs, believed(times.askedAtMs)),
      interestAtMs: Math.max(interestAtMs, believed(times.interestAtMs)),
    });
  }

  return {
    /** Takes over what other processes have noted, if the last time was a minute ago. */
    async refresh(): Promise<void> {
      const nowMs = clock.now();
      if (Math.abs(nowMs - readAtMs) < REFRESH_MS) {
        return;
      }
      readAtMs = nowMs;
      await guarded(async () => {
        for (const { key, ...times } of await questions.all()) {
          merge(key, times);
        }
        if (Math.abs(nowMs - sweptAtMs) >= SWEEP_MS) {
          sweptAtMs = nowMs;
          await questions.sweep(nowMs - KEPT_MS);
        }
      });
    },
    get,

    async note(
      key: string,
      times: { readonly askedAtMs: number } | { readonly interestAtMs: number },
    ): Promise<void> {
      merge(key, times);
      await guarded(() => questions.note(key, times));
    },
  };
}
