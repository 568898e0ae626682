import type { BotControl } from "../../sandbox/bot/control.ts";
import type { World } from "../../sandbox/world.ts";

/** How often to poll whether anything happens, and after how many polls without news nothing does. */
export interface Polling {
  readonly silent: number;
  readonly everyMs: number;
}

/** A bot in its own process may have to wait for a core; one inside this process continues as soon as it can. */
export function pollingFor(bots: readonly Pick<BotControl, "place">[]): Polling {
  return bots.every(({ place }) => place === "inside")
    ? { silent: 5, everyMs: 1 }
    : { silent: 10, everyMs: 2 };
}

/** Ticks bots while time passes. */
export interface Ticks {
  /** Starts a tick of each running bot whose last tick is over, if it is time. */
  beginIfDue(): void;
  /** How long the longest current tick has been running on the clock; 0 if none is. */
  longestMs(): number;
  /** Settles when the bot's current tick is over; `undefined` if there is none. Never rejects. */
  underWay(bot: BotControl): Promise<void> | undefined;
}

/** Ignores errors of ticks, because a bot may be killed during one. */
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
