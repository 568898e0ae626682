// After a restart, the bot must neither ask everything at once nor forget whose turn it is.
import { CLOCK_TOLERANCE_MS, type Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { BoardQuestionsTable } from "../board-questions-table.ts";

const REFRESH_MS = 60_000;
/** Even with 300 questions and 30 calls a day, each question has its turn within 13 days. */
const KEPT_MS = 14 * 24 * 60 * 60_000;
const SWEEP_MS = 24 * 60 * 60_000;

export type QuestionLog = ReturnType<typeof createQuestionLog>;

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
