import type { BotControl } from "../../sandbox/bot/control.ts";
import type { World } from "../../sandbox/world.ts";

/** Ticks of bots while time goes by. */
export interface Ticks {
  /** Lets each bot that runs, and whose last tick is over, tick where it is time. */
  beginIfDue(): void;
  /** Settles when the tick of a bot that is under way is over. Never rejects. */
  underWay(bot: BotControl): Promise<void> | undefined;
}

/** What a tick of a bot that was killed says is of no interest. */
export function createTicks(
  { clock }: Pick<World, "clock">,
  bots: readonly BotControl[],
  everyMs: number,
): Ticks {
  const ticking = new Map<BotControl, Promise<void>>();
  let tickedAtMs = -Infinity;
  return {
    beginIfDue() {
      if (clock.now() - tickedAtMs < everyMs) {
        return;
      }
      tickedAtMs = clock.now();
      for (const bot of bots.filter(({ isRunning }) => isRunning)) {
        if (!ticking.has(bot)) {
          const done = bot
            .tick()
            .catch(() => undefined)
            .finally(() => ticking.delete(bot));
          ticking.set(bot, done);
        }
      }
    },
    underWay: (bot) => ticking.get(bot),
  };
}
