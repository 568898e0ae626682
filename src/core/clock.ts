// Time is given, never taken: everything that waits or asks the hour does so through a Clock.

/** A source of time and of timers that follow it. Tests and the sandbox turn theirs by hand. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Calls `callback` once, when `delayMs` have passed on this clock. Returns what cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Waits `delayMs` on the clock; rejects with the signal's reason as soon as it aborts. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const cancel = clock.after(delayMs, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    function onAbort(): void {
      cancel();
      reject(signal?.reason);
    }
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
