// The answers that boards show. Those of planned questions are kept for as long as they tell anything, also where the
// shared store has to make room for what people ask.
import type { TransportBoard } from "../../sources/transport-data.ts";
import { CLOCK_TOLERANCE_MS, type Clock } from "../../core/clock.ts";
import type { Answers } from "../../sources/answers.ts";
import { BOARD_WINDOW_MINUTES, boardKey, liveQuestion, nightQuestion } from "../../rail/departures.ts";
import { type BoardAsk, type KnownAnswer, askKey } from "./board-data.ts";
import { rowsOf } from "./board-rows.ts";

/** An answer and when it was asked for. */
export interface HeldAnswer {
  readonly value: TransportBoard;
  readonly askedAtMs: number;
}

/** The youngest answers to boards' questions, whoever asked. */
export interface HeldAnswers {
  /** `undefined` where there is none, or none that still tells anything. */
  get(ask: BoardAsk): HeldAnswer | undefined;
  /** Keeps what has just been answered: the shared store has room for fewer than boards may ask at one moment. */
  keep(ask: BoardAsk): void;
  /** Keeps answers to these questions, by {@link askKey}, and to no others. */
  keepOnly(keys: ReadonlySet<string>): void;
}

/** Reads from the store that departures are asked through. */
export function createHeldAnswers(answers: Pick<Answers, "peek">, clock: Clock): HeldAnswers {
  const kept = new Map<string, HeldAnswer>();
  let wanted: ReadonlySet<string> = new Set();
  function get(ask: BoardAsk): HeldAnswer | undefined {
    const key = askKey(ask);
    const nowMs = clock.now();
    const shared = [liveQuestion(ask), nightQuestion(ask)]
      .flatMap((question) => answers.peek<TransportBoard>(boardKey(question)) ?? [])
      .toSorted((a, b) => a.ageMs - b.ageMs)[0];
    const known = believed(kept.get(key), nowMs);
    if (shared && shared.value !== known?.value && nowMs - shared.ageMs >= (known?.askedAtMs ?? 0)) {
      const held = { value: shared.value, askedAtMs: nowMs - shared.ageMs };
      if (wanted.has(key)) {
        kept.set(key, held);
      }
      return held;
    }
    return known;
  }

  return {
    get,
    keep: (ask) => void get(ask),
    keepOnly(keys) {
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
function believed(held: HeldAnswer | undefined, nowMs: number): HeldAnswer | undefined {
  return held && held.askedAtMs <= nowMs + CLOCK_TOLERANCE_MS ? held : undefined;
}

/** A held answer as watches read it; `undefined` where it tells nothing of what comes. */
export function knownAnswer(held: HeldAnswer | undefined, nowMs: number): KnownAnswer | undefined {
  if (held === undefined) {
    return undefined;
  }
  const { value, askedAtMs } = held;
  const dataMs = value.dataAt.epochMilliseconds;
  const coversUntilMs = value.coversUntil.epochMilliseconds;
  return nowMs < dataMs + BOARD_WINDOW_MINUTES * 60_000
    ? { rows: rowsOf(value), dataMs, coversUntilMs, askedAtMs }
    : undefined;
}
