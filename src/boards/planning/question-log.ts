// The log of boards' questions: when each was asked last, and when somebody took an interest in it. It is kept in the
// database, so that a restart neither asks everything at once nor forgets whose turn it is.
import { CLOCK_TOLERANCE_MS, type Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { BoardQuestionRecord, BoardQuestionsTable } from "../board-questions-table.ts";

type QuestionTimes = Partial<Omit<BoardQuestionRecord, "key">>;

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

  /** Without times that are yet to come: a clock was wrong once, and its question would wait until then. */
  function believable({ askedAtMs, interestAtMs }: QuestionTimes): QuestionTimes {
    const latestMs = clock.now() + CLOCK_TOLERANCE_MS;
    return {
      askedAtMs: askedAtMs !== undefined && askedAtMs <= latestMs ? askedAtMs : undefined,
      interestAtMs: interestAtMs !== undefined && interestAtMs <= latestMs ? interestAtMs : undefined,
    };
  }

  function get(key: string): QuestionTimes {
    return believable(known.get(key) ?? {});
  }

  function merge(key: string, { askedAtMs, interestAtMs }: QuestionTimes): void {
    const before = get(key);
    known.set(key, {
      askedAtMs: latest(before.askedAtMs, askedAtMs),
      interestAtMs: latest(before.interestAtMs, interestAtMs),
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
          merge(key, believable(times));
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

function latest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : other === undefined ? one : Math.max(one, other);
}
