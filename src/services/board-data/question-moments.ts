// When each question of boards was asked last, and when somebody took an interest in it: kept in the database, so that
// a restart neither asks everything at once nor forgets whose turn it is.
import { CLOCK_TOLERANCE_MS, type Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { BoardQuestionRecord, BoardQuestionsTable } from "../../storage/board-questions-table.ts";

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
