// Work that goes on side by side.
import type { Clock } from "../../core/clock.ts";

/** Pieces of work that nobody waits for one by one. */
export interface UnderWay {
  readonly size: number;
  /** Takes in a piece of work, which never rejects. */
  add(work: Promise<void>): void;
  /** Settles as soon as at most `size` pieces are left, and at the latest after `mostMs` of the clock. */
  shrinks(size: number, mostMs: number): Promise<void>;
}

/** Makes it, empty. */
export function createUnderWay(clock: Clock): UnderWay {
  let size = 0;
  const waiting = new Set<() => void>();

  return {
    get size() {
      return size;
    },
    add(work) {
      size += 1;
      void work.finally(() => {
        size -= 1;
        for (const look of waiting) {
          look();
        }
      });
    },
    shrinks: (target, mostMs) =>
      new Promise((resolve) => {
        const end = (): void => {
          cancel();
          waiting.delete(look);
          resolve();
        };
        const look = (): void => {
          if (size <= target) {
            end();
          }
        };
        const cancel = clock.after(mostMs, end);
        waiting.add(look);
        look();
      }),
  };
}
