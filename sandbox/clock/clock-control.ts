// Changes the sandbox's clock, one change at a time, each followed by a tick of the bot.
import { setTimeout as pause } from "node:timers/promises";
import type { SandboxClock } from "./clock.ts";

export type ClockControl = ReturnType<typeof createClockControl>;

export interface ClockControlParts {
  readonly clock: SandboxClock;
  readonly bot: { readonly isRunning: boolean; tick(): Promise<void> };
  /** Whether a client is waiting for an answer, and has waited less than this many real milliseconds. */
  readonly isAwaited: (withinMs: number) => boolean;
}

/** The length of a step. Shorter than the 3 seconds of an interaction, in case one begins during a step. */
const STEP_MS = 2_000;
/** Real milliseconds that a step waits for answers and a tick. Slower answers are late on the sandbox's clock too. */
const PATIENCE_MS = 3_000;
/** Real milliseconds between two checks. */
const CHECK_EVERY_MS = 10;

export function createClockControl({ clock, bot, isAwaited }: ClockControlParts) {
  let lastChange: Promise<unknown> = Promise.resolve();
  let ticking: Promise<void> | undefined;

  /** Queues a change, because two at once would set the clock back. */
  function oneAtATime(change: () => Promise<void>): Promise<void> {
    const mine = lastChange.then(change);
    lastChange = mine.catch(() => undefined);
    return mine;
  }

  async function tick(): Promise<void> {
    if (bot.isRunning) {
      // The bot's log has the error of a failed tick. A bot that ended meanwhile has nothing to report.
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
      await pause(CHECK_EVERY_MS, undefined, { ref: false });
    }
  }

  return {
    /** Sets the clock to a time, then ticks the bot. Resolves when that is done, or if the tick takes too long. */
    moveTo: (atMs: number) =>
      oneAtATime(async () => {
        await clock.set(atMs);
        await tick();
      }),
    /**
     * Lets time pass in small steps, then ticks the bot. Each step first waits until no client is waiting for an
     * answer. So repeated calls make time run fast, but cause no timeouts that would not have happened anyway.
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
