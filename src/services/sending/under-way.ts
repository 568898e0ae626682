// Work that goes on side by side.
import type { Clock } from "../../core/clock.ts";

/** Pieces of work that nobody waits for one by one. */
export interface UnderWay {
  readonly size: number;
  /** For how long the oldest piece has been under way; 0 without any. */
  longestMs(): number;
  /** Takes in a piece of work, which never rejects. */
  add(work: Promise<void>): void;
  /** Settles as soon as at most `size` pieces are left, and at the latest after `mostMs` of the clock. */
  shrinks(size: number, mostMs: number): Promise<void>;
}

/**
 * A piece of work takes no longer, even where every request of it waits for Discord until its time is up, and is repeated.
 * One that does never ends.
 */
export const LONGEST_WORK_MS = 30 * 60_000;

/** Makes it, empty. */
export function createUnderWay(clock: Clock): UnderWay {
  /** When each was begun, the oldest first. */
  const begunAtMs = new Map<Promise<void>, number>();
  const waiting = new Set<() => void>();

  return {
    get size() {
      return begunAtMs.size;
    },
    longestMs() {
      const [oldestMs] = begunAtMs.values();
      return oldestMs === undefined ? 0 : clock.elapsed() - oldestMs;
    },
    add(work) {
      begunAtMs.set(work, clock.elapsed());
      void work.finally(() => {
        begunAtMs.delete(work);
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
          if (begunAtMs.size <= target) {
            end();
          }
        };
        const cancel = clock.after(mostMs, end);
        waiting.add(look);
        look();
      }),
  };
}
