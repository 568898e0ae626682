// Time is given, never taken: everything that waits or asks the hour does so through a Clock.
import { uptime } from "node:os";

/**
 * A source of time and of timers that follow it. Tests and the sandbox turn theirs by hand. It counts whole milliseconds:
 * PostgreSQL refuses a fraction where a table keeps a time.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. Jumps when somebody sets the machine's clock. */
  now(): number;
  /**
   * Milliseconds that have passed since some fixed moment: for durations and deadlines. Setting the machine's clock does
   * not change it, and time in which the machine slept counts.
   */
  elapsed(): number;
  /** Calls `callback` once, when `delayMs` have passed on this clock. Returns what cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/**
 * How far a clock may be off before it counts as wrong, and how far two may lie apart. Machines that keep time by NTP
 * differ by milliseconds.
 */
export const CLOCK_TOLERANCE_MS = 5_000;
/** Asking the system for its uptime takes 7 µs (measured), too long for every answer. */
const ASK_UPTIME_EVERY_MS = 20;
/** An uptime comes in steps: of 10 ms on Linux, of a second elsewhere. What lies further apart is sleep. */
const SHORTEST_SLEEP_MS = 2_000;

/** Combines a time that stops while the machine sleeps with its uptime, which does not. */
export function createElapsed({
  awakeMs,
  uptimeMs,
}: {
  readonly awakeMs: () => number;
  readonly uptimeMs: () => number;
}): () => number {
  const startMs = uptimeMs() - awakeMs();
  let askedAtMs = -Infinity;
  let sleptMs = 0;
  return () => {
    const nowMs = awakeMs();
    if (nowMs - askedAtMs >= ASK_UPTIME_EVERY_MS) {
      askedAtMs = nowMs;
      const asleepMs = uptimeMs() - startMs - nowMs;
      sleptMs = asleepMs - sleptMs > SHORTEST_SLEEP_MS ? asleepMs : sleptMs;
    }
    return Math.floor(nowMs + sleptMs);
  };
}

/** The moment that a clock shows. */
export function currentInstant(clock: Pick<Clock, "now">): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(clock.now());
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: createElapsed({ awakeMs: () => performance.now(), uptimeMs: () => uptime() * 1_000 }),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Waits `delayMs` on the clock; rejects with the signal's reason as soon as it aborts. */
export async function sleep(
  clock: Pick<Clock, "after">,
  delayMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const { promise: passed, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(delayMs, resolve);
  try {
    await (signal ? untilAborted(passed, signal) : passed);
  } finally {
    cancel();
  }
}

/** Returns the result of `work`; rejects with the signal's reason as soon as it aborts. The work itself continues. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) {
    onAbort();
  }
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Returns the result of `work`, or `otherwise` once `limitMs` have passed; the work itself continues. */
export async function waitAtMost<T>(
  clock: Pick<Clock, "after">,
  limitMs: number,
  work: Promise<T>,
  otherwise: T,
): Promise<T> {
  const { promise: late, resolve } = Promise.withResolvers<T>();
  const cancel = clock.after(limitMs, () => resolve(otherwise));
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel();
  }
}

/** Calls `onIdle` once, after `idleMs` without a `touch`. One timer serves all: every chunk is a touch. */
export function watchIdle(clock: Clock, idleMs: number, onIdle: () => void) {
  let touchedAt = clock.elapsed();
  let isWaiting: (() => boolean) | undefined;
  let cancel = clock.after(idleMs, check);

  function check(): void {
    if (isWaiting?.() === false) {
      touchedAt = clock.elapsed();
    }
    const leftMs = touchedAt + idleMs - clock.elapsed();
    if (leftMs > 0) {
      cancel = clock.after(leftMs, check);
    } else {
      onIdle();
    }
  }

  return {
    touch: (): void => void (touchedAt = clock.elapsed()),
    /** From now on, only time during which the condition holds counts as idle. */
    onlyWhile: (condition: () => boolean): void => void (isWaiting = condition),
    stop: () => cancel(),
  };
}
