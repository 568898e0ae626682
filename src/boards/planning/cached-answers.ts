// The answers that boards show. Those of planned questions are kept for as long as they are of use, also where the
// shared store has to make room for what people ask.
import type { TransportBoard } from "../../sources/transport-data.ts";
import { CLOCK_TOLERANCE_MS, type Clock } from "../../core/clock.ts";
import type { Answers } from "../../sources/answers.ts";
import { BOARD_WINDOW_MINUTES, boardKey, liveQuestion, nightQuestion } from "../../rail/departures.ts";
import { type BoardAsk, type KnownAnswer, askKey } from "./board-data.ts";
import { rowsOf } from "./board-rows.ts";

/** An answer and when it was asked for. */
interface CachedAnswer {
  readonly value: TransportBoard;
  readonly askedAtMs: number;
}

export type CachedAnswers = ReturnType<typeof createCachedAnswers>;

/** The youngest answers to boards' questions, whoever asked; reads from the store that departures are asked through. */
export function createCachedAnswers(answers: Pick<Answers, "peek">, clock: Clock) {
  const kept = new Map<string, CachedAnswer>();
  let wanted: ReadonlySet<string> = new Set();

  /** `undefined` where there is none, or none that is still of use. */
  function get(ask: BoardAsk): CachedAnswer | undefined {
    const key = askKey(ask);
    const nowMs = clock.now();
    const shared = [liveQuestion(ask), nightQuestion(ask)]
      .flatMap((question) => answers.peek<TransportBoard>(boardKey(question)) ?? [])
      .toSorted((a, b) => a.ageMs - b.ageMs)[0];
    const known = believed(kept.get(key), nowMs);
    if (shared && shared.value !== known?.value && nowMs - shared.ageMs >= (known?.askedAtMs ?? 0)) {
      const answer = { value: shared.value, askedAtMs: nowMs - shared.ageMs };
      if (wanted.has(key)) {
        kept.set(key, answer);
      }
      return answer;
    }
    return known;
  }

  return {
    get,

    /** Keeps what has just been answered: the shared store has room for fewer than boards may ask at one moment. */
    keep: (ask: BoardAsk) => void get(ask),

    /** Keeps answers to these questions, by {@link askKey}, and to no others. */
    keepOnly(keys: ReadonlySet<string>): void {
      wanted = keys;
      for (const key of kept.keys()) {
        if (!keys.has(key)) {
          kept.delete(key);
        }
      }
    },
  };
}

/** A clock was wrong once: what was asked when it was ahead would outlast all that is asked now. */
function believed(answer: CachedAnswer | undefined, nowMs: number): CachedAnswer | undefined {
  return answer && answer.askedAtMs <= nowMs + CLOCK_TOLERANCE_MS ? answer : undefined;
}

/** An answer as watches read it; `undefined` where it no longer says what comes. */
export function knownAnswer(answer: CachedAnswer | undefined, nowMs: number): KnownAnswer | undefined {
  if (answer === undefined) {
    return undefined;
  }
  const { value, askedAtMs } = answer;
  const dataMs = value.dataAt.epochMilliseconds;
  const coversUntilMs = value.coversUntil.epochMilliseconds;
  return nowMs < dataMs + BOARD_WINDOW_MINUTES * 60_000
    ? { rows: rowsOf(value), dataMs, coversUntilMs, askedAtMs }
    : undefined;
}
