// Changes of the sandbox's clock, one after another, each followed by a tick of the bot.
import { setTimeout as pause } from "node:timers/promises";
import type { SandboxClock } from "./clock.ts";

export type ClockControl = ReturnType<typeof createClockControl>;

export interface ClockControlParts {
  readonly clock: SandboxClock;
  /** Ticks after each change of the clock. */
  readonly bot: { readonly isRunning: boolean; tick(): Promise<void> };
  /** Whether a client is waiting for an answer, and has waited less than this many real milliseconds. */
  readonly isAwaited: (withinMs: number) => boolean;
}

/** Shorter than the 3 seconds of an interaction, in case one begins during a step. */
const STEP_MS = 2_000;
/** Real milliseconds that a step waits for answers and ticks. Slower ones are late on the sandbox's clock too. */
const PATIENCE_MS = 3_000;
/** Real milliseconds between two checks. */
const LOOK_EVERY_MS = 10;

export function createClockControl({ clock, bot, isAwaited }: ClockControlParts) {
  let lastChange: Promise<unknown> = Promise.resolve();
  let ticking: Promise<void> | undefined;

  /** One after another: two at once would set the clock back. */
  function oneAtATime(change: () => Promise<void>): Promise<void> {
    const mine = lastChange.then(change);
    lastChange = mine.catch(() => undefined);
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

  return {
    /** Moves to a moment, then ticks the bot. Settles when that is done, or if it takes long. */
    moveTo: (atMs: number) =>
      oneAtATime(async () => {
        await clock.set(atMs);
        await tick();
      }),
    /**
     * Lets time pass in small steps, each of which waits while a client waits for an answer, then ticks the bot. Repeated
     * quickly, it makes time run fast, and still nobody runs out of time who would not have done so otherwise.
     */
    pass: (spanMs: number) =>
      oneAtATime(async () => {
        for (let leftMs = spanMs; leftMs > 0; leftMs -= STEP_MS) {
          await waitForAnswers();
          await clock.advance(Math.min(leftMs, STEP_MS));
        }
        await tick();
      }),
  };
}
