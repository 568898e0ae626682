// The only source of time: everything that waits or needs the current time takes a Clock.
import { uptime } from "node:os";

/** Tests and the sandbox set theirs by hand. It has whole milliseconds: PostgreSQL refuses fractions. */
export interface Clock {
  /** Milliseconds since the Unix epoch. Jumps if somebody sets the machine's clock. */
  now(): number;
  /** Milliseconds for durations and deadlines: setting the machine's clock changes nothing, and sleep counts. */
  elapsed(): number;
  /** Returns a function that cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** A clock that is off by more, or differs from another by more, is wrong. NTP keeps to milliseconds. */
export const CLOCK_TOLERANCE_MS = 5_000;
/** Reading the system's uptime takes 7 µs (measured), too long for every answer. */
const ASK_UPTIME_EVERY_MS = 20;
/** The uptime advances in steps of 10 ms on Linux, and of a second elsewhere. A larger difference is sleep. */
const SHORTEST_SLEEP_MS = 2_000;

/** Combines a clock that stops while the machine sleeps with its uptime, which continues. */
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

/** Rejects with the signal's reason as soon as it aborts. */
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

/** Rejects with the signal's reason as soon as it aborts; the work itself continues. */
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

/** Returns the result of `work`, or `otherwise` if `limitMs` pass first; the work itself continues. */
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

/** Calls `onIdle` once, after `idleMs` without a `touch`. A touch restarts no timer, because every chunk is one. */
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
    /** From now on, only time during which the condition is true counts as idle. */
    onlyWhile: (condition: () => boolean): void => void (isWaiting = condition),
    stop: () => cancel(),
  };
}
