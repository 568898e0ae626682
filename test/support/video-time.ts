// Time in a world that publishes: it stands still as long as anything happens, and goes by where a bot waits for nothing
// but time. The bots' jobs tick with it.
import type { BotControl } from "../../sandbox/bot/control.ts";
import { isInteractionOpen } from "../../sandbox/discord/rules/interactions.ts";
import type { World } from "../../sandbox/world.ts";
import { createTicks, pollingFor } from "./tick-bots.ts";

/** Time that goes by. */
export interface PassingTime {
  /** Waits until something is so; `false` where it is not, though so much time has gone by. */
  until(isMet: () => boolean, mostMs?: number): Promise<boolean>;
  /** Lets so much time go by, in larger steps. */
  pass(durationMs: number): Promise<void>;
}

/** So many times as many looks without news, while somebody waits for an answer: it may be to come, or its bot is dead. */
const AWAITED = 10;
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

/**
 * `bots`: those that tick; the world's own unless told otherwise. `isBusy`: whether anything is under way that neither
 * their log nor a server tells of.
 */
export function createPassingTime(
  world: World,
  bots: readonly BotControl[] = [world.bot],
  isBusy: () => boolean = () => false,
): PassingTime {
  const { clock, discord, video } = world;
  const { silent, everyMs } = pollingFor(bots);
  const ticks = createTicks(world, bots, TICK_MS);

  /** Changes with whatever happens. */
  function news(): string {
    const written = bots.map(({ log }) => log.length);
    const answered = video.ledger.filter(({ status }) => status !== undefined).length;
    const isAwaited = [discord.traffic, video].some(({ calls }) => calls.isAwaited(HELD_MS));
    const requests = [discord.requests.length, video.ledger.length, answered];
    return [...written, ...requests, isAwaited || isBusy() ? performance.now() : ""].join(" ");
  }

  async function wait(isMet: () => boolean, mostMs: number, stepMs: number): Promise<boolean> {
    const startMs = clock.now();
    const deadlineMs = performance.now() + DEADLINE_MS;
    let heard = news();
    for (let looks = 0; !isMet(); looks += 1) {
      const passedMs = clock.now() - startMs;
      if (passedMs > mostMs || performance.now() > deadlineMs) {
        return false;
      }
      await new Promise((resolve) => setTimeout(resolve, everyMs));
      const now = news();
      if (now !== heard) {
        heard = now;
        looks = 0;
      } else if (looks >= silent * (isInteractionOpen(discord.platform) ? AWAITED : 1)) {
        await clock.advance(Math.max(stepMs, Math.round(passedMs / GROWTH)));
        looks = 0;
        ticks.beginIfDue();
      }
    }
    return true;
  }

  return {
    until: (isMet, mostMs = DEFAULT_MOST_MS) => wait(isMet, mostMs, STEP_MS),
    async pass(durationMs) {
      await wait(() => false, durationMs, TICK_MS);
    },
  };
}
