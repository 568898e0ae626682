// Limits over minutes, hours or days. Request rates, which count seconds, are in limits/.
import { refusal } from "../errors.ts";
import type { Platform } from "../platform.ts";

/** A limit: at most this many uses in each sliding window. */
export interface Allowance {
  readonly most: number;
  readonly windowMs: number;
}

/** Edits of messages older than an hour, per channel: about 3 in 6 s, undocumented. */
export const OLD_EDITS: Allowance = { most: 3, windowMs: 6000 };
/** Publishing in an announcement channel, per channel, undocumented. */
export const CROSSPOSTS: Allowance = { most: 10, windowMs: 3_600_000 };
/** Edits of a published message, undocumented. */
export const PUBLISHED_EDITS: Allowance = { most: 3, windowMs: 3_600_000 };
/** New command names. */
export const COMMAND_CREATES: Allowance = { most: 200, windowMs: 86_400_000 };

/**
 * Uses up `count` of the named allowance, e.g. `old-edits 123`. If not enough is left, uses nothing and throws the
 * refusal `otherwise`, which says when enough will be left. A use is restored when the window has passed on the
 * sandbox's clock, or on the machine's, because discord.js waits by that one.
 */
export function spend(
  platform: Platform,
  name: string,
  { most, windowMs }: Allowance,
  otherwise: Parameters<typeof refusal>[0],
  count = 1,
): void {
  const atMs = platform.clock.now();
  const monotonicMs = performance.now();
  const spent = (platform.state.spent.get(name) ?? []).filter(
    (entry) => entry.atMs + windowMs > atMs && entry.monotonicMs + windowMs > monotonicMs,
  );
  if (spent.length + count > most) {
    throw refusal(otherwise, (spent[0]?.atMs ?? atMs) + windowMs - atMs);
  }
  spent.push(...Array.from({ length: count }, () => ({ atMs, monotonicMs })));
  platform.state.spent.set(name, spent);
}
