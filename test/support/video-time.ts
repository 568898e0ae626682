// Time in a world that publishes: it stands still while anything happens, and passes when a bot waits only for time.
// The bots' jobs tick with it.
import type { BotControl } from "../../sandbox/bot/control.ts";
import { isInteractionOpen } from "../../sandbox/discord/rules/interactions.ts";
import type { World } from "../../sandbox/world.ts";
import { createTicks, pollingFor } from "./tick-bots.ts";

export interface PassingTime {
  /** Waits until a condition is met; `false` if it is not met within `mostMs`. */
  until(isMet: () => boolean, mostMs?: number): Promise<boolean>;
  /** Lets this much time pass, in larger steps. */
  pass(durationMs: number): Promise<void>;
}

/**
 * Multiplies the polls without news while somebody waits for an answer, which may still come unless its bot is dead.
 */
const AWAITED = 10;
/** Somebody who has waited longer than this, in real time, waits for an answer that is held back. */
const HELD_MS = 500;
const STEP_MS = 1_000;
/** The longer a wait has lasted, the larger the steps. */
const GROWTH = 10;
/** As often as the job runs. */
const TICK_MS = 5_000;
const DEFAULT_MOST_MS = 3 * 3_600_000;
/** In real time. */
const DEADLINE_MS = 120_000;

/**
 * `bots`: the bots that tick; the world's own by default. `isBusy`: whether work is under way that neither the bots'
 * logs nor a server shows.
 */
export function createPassingTime(
  world: World,
  bots: readonly BotControl[] = [world.bot],
  isBusy: () => boolean = () => false,
): PassingTime {
  const { clock, discord, video } = world;
  const { silent, everyMs } = pollingFor(bots);
  const ticks = createTicks(world, bots, TICK_MS);

  /** A text that changes with everything that happens. */
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
    let lastSeen = news();
    for (let looks = 0; !isMet(); looks += 1) {
      const passedMs = clock.now() - startMs;
      if (passedMs > mostMs || performance.now() > deadlineMs) {
        return false;
      }
      await new Promise((resolve) => setTimeout(resolve, everyMs));
      const now = news();
      if (now !== lastSeen) {
        lastSeen = now;
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
