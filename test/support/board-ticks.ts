// Ticks on a clock that stands still. The clock is advanced whenever a bot waits only for time.
import type { World } from "../../sandbox/world.ts";
import { pollingFor } from "./tick-bots.ts";
import { watchSettled } from "./until.ts";

const STEP_MS = 1_000;
const DEADLINE_MS = 30_000;
/** In real milliseconds. A request that has been open for longer is one that a fault keeps open. */
const HELD_MS = 2_000;

/** Ticks the world's own bot, or another one, through faults. Settles when the tick or the bot has ended. */
export async function tickThrough(
  world: World,
  bot: { readonly tick: () => Promise<void> } = world,
): Promise<void> {
  const ticking = bot.tick();
  await advanceUntil(world, watchSettled(ticking));
  await ticking;
}

/** Advances the clock whenever nothing happens, until a condition is met. Throws if it is not met in time. */
export async function advanceUntil(world: World, isMet: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + DEADLINE_MS;
  const from = world.discord.requests.length;
  // After this many polls without news, a bot is assumed to wait for time.
  const { silent, everyMs } = pollingFor([world.bot]);
  let lastSeen = "";
  for (let looks = 0; !isMet(); looks += 1) {
    if (performance.now() > deadlineMs) {
      throw new Error(`not true after ${DEADLINE_MS} ms: ${String(isMet)}`);
    }
    const now = traffic(world, from);
    if (now !== lastSeen) {
      lastSeen = now;
      looks = 0;
    } else if (looks >= silent) {
      await world.clock.advance(STEP_MS);
      looks = 0;
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Changes with each request that arrives or is answered, and constantly while the bot waits for an answer. */
function traffic(world: World, from: number): string {
  const { discord, transport, railData, tfl } = world;
  const requests = [discord.requests.slice(from), transport.ledger, railData.ledger, tfl.ledger].flat();
  const answered = requests.filter(({ status }) => status !== undefined);
  const isAwaited = world.isAnswerAwaited(HELD_MS);
  return [requests.length, answered.length, isAwaited ? performance.now() : ""].join(" ");
}
