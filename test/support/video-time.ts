// Time in a world that publishes: it stands still as long as anything happens, and goes by where a bot waits for nothing
// but time. The bots' jobs tick with it.
import type { BotControl } from "../../sandbox/bot/control.ts";
import { isInteractionOpen } from "../../sandbox/discord/rules/interactions.ts";
import type { World } from "../../sandbox/world.ts";
import { createTicks } from "./tick-bots.ts";

/** Time that goes by. */
export interface PassingTime {
  /** Waits until something is so; `false` where it is not, though so much time has gone by. */
  until(isSo: () => boolean, mostMs?: number): Promise<boolean>;
  /** Lets so much time go by, in larger steps. */
  pass(durationMs: number): Promise<void>;
}

/** So many looks without news, 2 ms apart, and nothing is taken to happen. */
const SILENT_LOOKS = 10;
/** More, while somebody waits for the answer to a press: it may be to come, or its bot is dead. */
const AWAITED_LOOKS = 100;
const LOOK_EVERY_MS = 2;
/** Somebody who has waited for longer for an answer waits for one that is held back. Real time. */
const HELD_MS = 500;
const STEP_MS = 1_000;
/** What has lasted for long is not looked at so closely. */
const GROWTH = 10;
/** As often as the job does by itself. */
const TICK_MS = 5_000;
const DEFAULT_MOST_MS = 3 * 3_600_000;
/** Real time. */
const DEADLINE_MS = 120_000;

/** `bots`: those that tick; the world's own unless told otherwise. */
export function createPassingTime(world: World, bots: readonly BotControl[] = [world.bot]): PassingTime {
  const { clock, discord, video } = world;
  const ticks = createTicks(world, bots, TICK_MS);

  /** Changes with whatever happens. */
  function news(): string {
    const written = bots.map(({ log }) => log.length);
    const answered = video.ledger.filter(({ status }) => status !== undefined).length;
    const isBusy = discord.traffic.calls.isAwaited(HELD_MS) || video.calls.isAwaited(HELD_MS);
    const requests = [discord.requests.length, video.ledger.length, answered];
    return [...written, ...requests, isBusy ? performance.now() : ""].join(" ");
  }

  async function wait(isSo: () => boolean, mostMs: number, stepMs: number): Promise<boolean> {
    const startMs = clock.now();
    const deadlineMs = performance.now() + DEADLINE_MS;
    let heard = news();
    for (let looks = 0; !isSo(); looks += 1) {
      const passedMs = clock.now() - startMs;
      if (passedMs > mostMs || performance.now() > deadlineMs) {
        return false;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      const now = news();
      if (now !== heard) {
        heard = now;
        looks = 0;
      } else if (looks >= (isInteractionOpen(discord.platform) ? AWAITED_LOOKS : SILENT_LOOKS)) {
        await clock.advance(Math.max(stepMs, Math.round(passedMs / GROWTH)));
        looks = 0;
        ticks.beginIfDue();
      }
    }
    return true;
  }

  return {
    until: (isSo, mostMs = DEFAULT_MOST_MS) => wait(isSo, mostMs, STEP_MS),
    async pass(durationMs) {
      await wait(() => false, durationMs, TICK_MS);
    },
  };
}
