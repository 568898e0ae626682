// What may be done only so often over minutes, hours or days. Request rates are not here: those count seconds.
import type { Platform } from "../platform.ts";

/** So many in each sliding window. */
export interface Allowance {
  readonly most: number;
  readonly windowMs: number;
}

/** Edits of messages older than an hour, per channel: about 3 in 6 s, undocumented. */
export const OLD_EDITS: Allowance = { most: 3, windowMs: 6000 };
/** Publishing in an announcement channel, per channel, undocumented. */
export const CROSSPOSTS: Allowance = { most: 10, windowMs: 3_600_000 };
/** Edits of one published message, undocumented. */
export const PUBLISHED_EDITS: Allowance = { most: 3, windowMs: 3_600_000 };
/** New names of commands, per guild and once more for the global ones. */
export const COMMAND_CREATES: Allowance = { most: 200, windowMs: 86_400_000 };

/**
 * Spends `count` of what is left under a name, e.g. `old-edits 123`, or nothing at all: then it gives the
 * milliseconds until there is room. What was spent comes back once the window has passed on the sandbox's clock
 * or, since discord.js waits by the machine's, on that.
 */
export function spend(
  platform: Platform,
  name: string,
  { most, windowMs }: Allowance,
  count = 1,
): number | undefined {
  const atMs = platform.clock.now();
  const monotonicMs = performance.now();
  const spent = (platform.state.spent.get(name) ?? []).filter(
    (entry) => entry.atMs + windowMs > atMs && entry.monotonicMs + windowMs > monotonicMs,
  );
  const [oldest] = spent;
  if (spent.length + count > most) {
    return oldest === undefined ? windowMs : oldest.atMs + windowMs - atMs;
  }
  spent.push(...Array.from({ length: count }, () => ({ atMs, monotonicMs })));
  platform.state.spent.set(name, spent);
  return undefined;
}
