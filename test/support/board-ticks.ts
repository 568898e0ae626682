// Ticks on a clock that stands still: where a bot waits for nothing but time, the clock is turned on.
import type { World } from "../../sandbox/world.ts";
import { pollingFor } from "./tick-bots.ts";
import { watchSettled } from "./until.ts";

const STEP_MS = 1_000;
const DEADLINE_MS = 30_000;

/** A tick that may meet faults, of the world's own bot or another; settles when it is over, or the bot has ended. */
export async function tickThrough(
  world: World,
  bot: { readonly tick: () => Promise<void> } = world,
): Promise<void> {
  const ticking = bot.tick();
  await advanceUntil(world, watchSettled(ticking));
  await ticking;
}

/** Turns the clock on whenever nothing happens, until something is so. Throws where it never is. */
export async function advanceUntil(world: World, isMet: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + DEADLINE_MS;
  const from = world.discord.requests.length;
  // After so many looks without news, a bot is taken to wait for time.
  const { silent, everyMs } = pollingFor([world.bot]);
  let heard = "";
  for (let looks = 0; !isMet(); looks += 1) {
    if (performance.now() > deadlineMs) {
      throw new Error(`waited for ${DEADLINE_MS} ms in vain`);
    }
    const now = traffic(world, from);
    if (now !== heard) {
      heard = now;
      looks = 0;
    } else if (looks >= silent) {
      await world.clock.advance(STEP_MS);
      looks = 0;
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Changes with each request that comes in or is answered, and all the time while there is one to answer. */
function traffic({ discord, transport, railData, tfl }: World, from: number): string {
  const requests = [discord.requests.slice(from), transport.ledger, railData.ledger, tfl.ledger].flat();
  const isAnswered = ({ status }: (typeof requests)[number]) => status !== undefined;
  const isOpen = requests.some((request) => !isAnswered(request) && request.fault === undefined);
  return [requests.length, requests.filter(isAnswered).length, isOpen ? performance.now() : ""].join(" ");
}
