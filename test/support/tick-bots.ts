import type { BotControl } from "../../sandbox/bot/control.ts";
import type { World } from "../../sandbox/world.ts";

/** How often one looks whether anything happens, and after how many looks without news nothing does. */
export interface Polling {
  readonly silent: number;
  readonly everyMs: number;
}

/** A bot in a process of its own may have to wait for a core; one inside goes on as soon as it can. */
export function pollingFor(bots: readonly Pick<BotControl, "place">[]): Polling {
  return bots.every(({ place }) => place === "inside")
    ? { silent: 5, everyMs: 1 }
    : { silent: 10, everyMs: 2 };
}

/** Ticks of bots while time goes by. */
export interface Ticks {
  /** Lets each bot that runs, and whose last tick is over, tick where it is time. */
  beginIfDue(): void;
  /** For how much time a tick has been under way that is; 0 where none is. */
  longestMs(): number;
  /** Settles when the tick of a bot that is under way is over. Never rejects. */
  underWay(bot: BotControl): Promise<void> | undefined;
}

/** What a tick of a bot that was killed says is of no interest. */
export function createTicks(
  { clock }: Pick<World, "clock">,
  bots: readonly BotControl[],
  everyMs: number,
): Ticks {
  const ticking = new Map<BotControl, { readonly sinceMs: number; readonly done: Promise<void> }>();
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
          ticking.set(bot, { sinceMs: clock.now(), done });
        }
      }
    },
    longestMs: () => Math.max(0, ...ticking.values().map(({ sinceMs }) => clock.now() - sinceMs)),
    underWay: (bot) => ticking.get(bot)?.done,
  };
}
