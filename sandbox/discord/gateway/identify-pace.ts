// Limits how often a bot may identify: a few at once, and a thousand a day.
import type { Platform } from "../platform.ts";

const DAY_MS = 86_400_000;

export interface IdentifyPace {
  /**
   * Counts an IDENTIFY of a shard. `too-fast`: another of the same group came within `identifyWindowMs`; this one is
   * not counted. `used-up`: the day's limit is reached, and Discord resets the token.
   */
  take(shardId: number): "fine" | "too-fast" | "used-up";
  clear(): void;
}

export function createIdentifyPace(platform: Platform): IdentifyPace {
  const { settings, state, clock } = platform;
  const lastOfGroup = new Map<number, number>();
  return {
    take(shardId) {
      const group = shardId % settings.identifyConcurrency;
      const nowMs = clock.forRates();
      if (nowMs - (lastOfGroup.get(group) ?? -Infinity) < settings.identifyWindowMs) {
        return "too-fast";
      }
      lastOfGroup.set(group, nowMs);
      state.identifiedAtMs.push(clock.now());
      return identifiesOfDay(platform).length > settings.identifyLimit ? "used-up" : "fine";
    },
    clear() {
      lastOfGroup.clear();
      state.identifiedAtMs.length = 0;
    },
  };
}

/** The bot's IDENTIFYs of the last 24 hours on the sandbox's clock. Forgets older ones. */
export function identifiesOfDay({ state, clock }: Platform): readonly number[] {
  const { identifiedAtMs } = state;
  const sinceMs = clock.now() - DAY_MS;
  const first = identifiedAtMs.findIndex((atMs) => atMs > sinceMs);
  identifiedAtMs.splice(0, first === -1 ? identifiedAtMs.length : first);
  return identifiedAtMs;
}
