// Tells whoever waits for it that a publication's messages have been brought up to date.
import type { Clock } from "../../core/clock.ts";

/** Of one process: what others do is not heard of. */
export interface ShownSignals {
  tell(id: string): void;
  /** Settles when that is told the next time, and at the latest after so long. */
  next(id: string, mostMs: number): Promise<void>;
}

/** Makes them. */
export function createShownSignals(clock: Clock): ShownSignals {
  const waiting = new Map<string, Set<() => void>>();
  return {
    tell(id) {
      waiting.get(id)?.forEach((settle) => settle());
    },
    next: (id, mostMs) =>
      new Promise((resolve) => {
        const others = waiting.get(id) ?? new Set();
        const settle = (): void => {
          cancel();
          others.delete(settle);
          if (others.size === 0) {
            waiting.delete(id);
          }
          resolve();
        };
        const cancel = clock.after(mostMs, settle);
        waiting.set(id, others.add(settle));
      }),
  };
}
