// The rate of the sandbox's time. Serialises all changes of the clock, each followed by a tick of the bot.
import { setTimeout as pause } from "node:timers/promises";
import type { TurnedClock } from "./clock.ts";

/** 60: an hour in a minute. */
export const CLOCK_RATES = [1, 60] as const;

export type ClockRate = (typeof CLOCK_RATES)[number];

export interface ClockPace {
  readonly rate: ClockRate;
  setRate(rate: ClockRate): void;
  /** Moves to a moment, then ticks the bot. Settles when that is done, or if it takes long. */
  turnTo(atMs: number): Promise<void>;
  /** Calls back on each change of the rate. Returns a function that unsubscribes. */
  onRate(listener: (rate: ClockRate) => void): () => void;
  /** Returns to the normal rate; afterwards nothing keeps the process alive. */
  stop(): void;
}

export interface ClockPaceParts {
  readonly clock: TurnedClock;
  /** Ticks after each change of the clock. */
  readonly bot: { readonly isRunning: boolean; tick(): Promise<void> };
  /** Whether a client is waiting for an answer, and has waited less than this many real milliseconds. */
  readonly isAwaited: (withinMs: number) => boolean;
}

/**
 * Fast time moves in steps that are shorter than the 3 seconds of an interaction, in case one begins during a step.
 */
const STEP_MS = 2_000;
/** The same interval as the bot's own jobs. */
const TICK_EVERY_MS = 10_000;
/** Real milliseconds that a step waits for answers and ticks. Slower ones are late on the fast clock too. */
const PATIENCE_MS = 3_000;
/** Real milliseconds between two checks. */
const LOOK_EVERY_MS = 10;

/**
 * While time runs fast, it stops whenever a client waits for an answer. At sixty times the rate, the 3 seconds of an
 * interaction would be 50 milliseconds, and every timeout a matter of luck.
 */
export function createClockPace({ clock, bot, isAwaited }: ClockPaceParts): ClockPace {
  const listeners = new Set<(rate: ClockRate) => void>();
  let rate: ClockRate = 1;
  let runs = 0;
  let lastTurn: Promise<unknown> = Promise.resolve();
  let ticking: Promise<void> | undefined;

  /** One after another: two at once would set the clock back. */
  function inTurn(turn: () => Promise<void>): Promise<void> {
    const mine = lastTurn.then(turn);
    lastTurn = mine.catch(() => undefined);
    return mine;
  }

  async function tick(): Promise<void> {
    if (bot.isRunning) {
      // The bot's log has the error of a failed tick. A tick during which the bot ends needs none.
      ticking ??= bot
        .tick()
        .catch(() => undefined)
        .finally(() => (ticking = undefined));
      await Promise.race([ticking, pause(PATIENCE_MS, undefined, { ref: false })]);
    }
  }

  async function waitForAnswers(): Promise<void> {
    const untilMs = performance.now() + PATIENCE_MS;
    while (isAwaited(PATIENCE_MS) && performance.now() < untilMs) {
      await pause(LOOK_EVERY_MS, undefined, { ref: false });
    }
  }

  async function goOn(): Promise<void> {
    const run = (runs += 1);
    const isOver = () => run !== runs;
    let tickedAtMs = clock.now();
    while (!isOver()) {
      const fromMs = clock.now();
      await pause(STEP_MS / rate, undefined, { ref: false });
      await waitForAnswers();
      await inTurn(async () => {
        // The clock may have been changed meanwhile, also backwards.
        const stepMs = Math.min(STEP_MS, STEP_MS - (clock.now() - fromMs));
        if (!isOver() && stepMs > 0) {
          await clock.advance(stepMs);
        }
        if (!isOver() && Math.abs(clock.now() - tickedAtMs) >= TICK_EVERY_MS) {
          tickedAtMs = clock.now();
          await tick();
        }
      });
    }
  }

  return {
    get rate() {
      return rate;
    },
    setRate(wanted) {
      if (wanted === rate) {
        return;
      }
      rate = wanted;
      runs += 1;
      for (const listener of listeners) {
        listener(rate);
      }
      if (rate !== 1) {
        void goOn();
      }
    },
    turnTo: (atMs) =>
      inTurn(async () => {
        await clock.set(atMs);
        await tick();
      }),
    onRate(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop() {
      rate = 1;
      runs += 1;
    },
  };
}
