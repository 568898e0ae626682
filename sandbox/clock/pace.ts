// How fast the sandbox's time goes by, and who turns it: one turn after another, with the bot's tick behind each.
import { setTimeout as pause } from "node:timers/promises";
import type { TurnedClock } from "./clock.ts";

/** 60: an hour in a minute. */
export const CLOCK_RATES = [1, 60] as const;

export type ClockRate = (typeof CLOCK_RATES)[number];

export interface ClockPace {
  readonly rate: ClockRate;
  setRate(rate: ClockRate): void;
  /** Moves to a moment, then lets the bot do what is due. Settles when that is done, or takes long. */
  turnTo(atMs: number): Promise<void>;
  /** Hears of each change of the rate. Returns what ends the hearing. */
  onRate(listener: (rate: ClockRate) => void): () => void;
  /** Time goes by as usual from now on, and keeps nothing alive. */
  stop(): void;
}

export interface ClockPaceParts {
  readonly clock: TurnedClock;
  /** Whose tick follows each turn. */
  readonly bot: { readonly isRunning: boolean; tick(): Promise<void> };
  /** Whether somebody waits for an answer, and has waited for less than so many real milliseconds. */
  readonly isAwaited: (withinMs: number) => boolean;
}

/** Fast time goes in steps: less than the 3 seconds of an interaction, should one begin in the middle of a step. */
const STEP_MS = 2_000;
/** As often as the bot's jobs do by themselves. */
const TICK_EVERY_MS = 10_000;
/** Real milliseconds for which a step waits for answers and ticks. Whoever takes longer is late on the fast clock too. */
const PATIENCE_MS = 3_000;
/** Real milliseconds between two looks. */
const LOOK_EVERY_MS = 10;

/**
 * While time runs fast it stands still for whoever waits for an answer: at sixty times its pace the 3 seconds of an
 * interaction would be 50 milliseconds, and every time-out a matter of luck.
 */
export function createClockPace({ clock, bot, isAwaited }: ClockPaceParts): ClockPace {
  const listeners = new Set<(rate: ClockRate) => void>();
  let rate: ClockRate = 1;
  let runs = 0;
  let lastTurn: Promise<unknown> = Promise.resolve();
  let ticking: Promise<void> | undefined;

  /** One after another: two at once would turn the clock back. */
  function inTurn(turn: () => Promise<void>): Promise<void> {
    const mine = lastTurn.then(turn);
    lastTurn = mine.catch(() => undefined);
    return mine;
  }

  async function tick(): Promise<void> {
    if (bot.isRunning) {
      // A tick that fails has said so in the bot's log; a bot that ends in the middle of one needs none.
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
        // Somebody may have turned the clock meanwhile, back as well.
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
