// Sends requests one by one, so that Discord never counts more than its 50 in any second.
//
// The requests are evenly spaced, because bursts arrive as larger bursts. Requests that are still on their way count
// too, because those that the network delays arrive together with later ones. The known libraries send a second's worth
// at once or space by the time of day, and none counts requests on their way.
// https://discord.com/developers/docs/topics/rate-limits#global-rate-limit
import { type Clock, systemClock } from "../core/clock.ts";
import type { Readings } from "../core/meter.ts";

/** `prompt`: somebody waits for it. The two kinds take turns, so that neither starves the other. */
export type Urgency = "prompt" | "bulk";

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** The request was not sent. `retryAfterMs`: how long Discord asks the bot to wait; `undefined` for any other reason. */
export class NotSentError extends Error {
  override readonly name = "NotSentError";
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs?: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** 49 requests a second, one fewer than Discord allows, because a network may deliver two of them 20 ms closer together. */
const SPACING_MS = 20.4;
/** How much of the bot's own delays, e.g. while it drew a picture, may be made up for: five requests in a row. */
const SLACK_MS = 100;
/** How many requests of all the bot's processes may arrive in one second. */
export const MAX_PER_SECOND = 50;
const WINDOW_MS = 1000;
/**
 * The fastest of this many responses shows the minimum round trip. They cover 20 seconds. If there were fewer, a short
 * delay could affect all of them, and later requests would arrive sooner than expected.
 */
const SAMPLES = 1_000;
const MIN_SAMPLES = 20;
/** If Discord asks for a longer pause, requests fail instead of waiting. */
export const MAX_WAIT_MS = 60_000;

interface Waiting {
  readonly sinceMs: number;
  readonly refuse: () => NotSentError | undefined;
  readonly resolve: (startedMs: number) => void;
  readonly reject: (error: NotSentError) => void;
}

const wholeLimit = (): number => MAX_PER_SECOND;

export function createRateLimiter(time: LimiterTime) {
  const queues: Record<Urgency, Waiting[]> = { prompt: [], bulk: [] };
  let last: Urgency = "bulk";
  let nextMs = -Infinity;
  let pausedUntilMs = -Infinity;
  let stopped = false;
  let onTheWay = 0;
  /** Until when each answered request counts. */
  let countedUntilMs: number[] = [];
  const tripsMs: number[] = [];
  let cancelTimer: (() => void) | undefined;
  /** How many of {@link MAX_PER_SECOND} this process may use at a given time. */
  let shareAt: (nowMs: number) => number = wholeLimit;

  const shareNow = (): number => shareAt(time.now());
  const spacingMs = (): number => (SPACING_MS * MAX_PER_SECOND) / shareNow();
  const waiting = (): number => queues.prompt.length + queues.bulk.length;
  /** How many earlier requests count towards the limit now. */
  function counted(nowMs = time.now()): number {
    countedUntilMs = countedUntilMs.filter((untilMs) => untilMs > nowMs);
    return onTheWay + countedUntilMs.length;
  }
  const ageMs = ([oldest]: readonly Waiting[]) => (oldest ? time.now() - oldest.sinceMs : 0);

  function msUntilTurn(nowMs: number): number {
    const excess = counted(nowMs) - shareNow();
    // If too few requests are answered, the next response calls `sendNext` again; without a share, `setShare` does.
    const roomAtMs = excess >= 0 ? (countedUntilMs.toSorted((a, b) => a - b)[excess] ?? Infinity) : -Infinity;
    return Math.max(nextMs, pausedUntilMs, roomAtMs) - nowMs;
  }

  function sendNext(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    while (waiting() > 0) {
      const nowMs = time.now();
      const waitMs = msUntilTurn(nowMs);
      if (waitMs > 0) {
        cancelTimer = waitMs < Infinity ? time.after(waitMs, sendNext) : undefined;
        return;
      }
      const other = last === "bulk" ? "prompt" : "bulk";
      last = queues[other].length > 0 ? other : last;
      const next = queues[last].shift();
      const refusal = next?.refuse();
      if (refusal) {
        next?.reject(refusal);
        continue;
      }
      nextMs = Math.max(nextMs, nowMs - SLACK_MS) + spacingMs();
      onTheWay += 1;
      next?.resolve(nowMs);
    }
  }

  /**
   * Notes the response to a request. The request reached Discord before its response, by at least the shortest return
   * trip. A request that starts now will reach Discord later, by at least the shortest outward trip. So the answered
   * request counts until one second after its response, less the shortest round trip.
   */
  function noteResponse(startedMs: number): void {
    const nowMs = time.now();
    tripsMs.push(nowMs - startedMs);
    if (tripsMs.length > SAMPLES) {
      tripsMs.shift();
    }
    const leastMs = tripsMs.length < MIN_SAMPLES ? 0 : Math.min(...tripsMs);
    onTheWay -= 1;
    countedUntilMs.push(nowMs - leastMs + WINDOW_MS);
    sendNext();
  }

  function refusalNow(): NotSentError | undefined {
    const pausedMs = pausedUntilMs - time.now();
    if (stopped) {
      return new NotSentError("the bot is leaving");
    }
    return pausedMs > MAX_WAIT_MS ? new NotSentError("Discord asked for a long pause", pausedMs) : undefined;
  }

  /** Rejects the waiting requests if new ones would be refused too. */
  function refuseWaiting(): void {
    const refusal = refusalNow();
    if (refusal) {
      [...queues.prompt.splice(0), ...queues.bulk.splice(0)].forEach(({ reject }) => reject(refusal));
    }
  }

  return {
    readings(): Readings {
      const urgencies = ["prompt", "bulk"] as const;
      return {
        messenger_queue_length: urgencies.map((urgency) => [{ urgency }, queues[urgency].length]),
        messenger_queue_age_seconds: urgencies.map((urgency) => [{ urgency }, ageMs(queues[urgency]) / 1000]),
        messenger_share: shareNow(),
      };
    },
    waiting,
    counted: () => counted(),
    /**
     * Sets how many requests may arrive in one second. Requests that have started count until their second is over. The
     * share is a function of the time, so that it can shrink as time passes, even if the process was suspended.
     */
    setShare(next: (nowMs: number) => number): void {
      shareAt = next;
      nextMs = Math.min(nextMs, time.now() + spacingMs());
      sendNext();
    },
    /** Throws a NotSentError if the wait would be too long, or if `refuse` returns one when the turn comes. */
    async run<T>(
      urgency: Urgency,
      send: () => Promise<T>,
      refuse: () => NotSentError | undefined = () => undefined,
    ): Promise<T> {
      const refusal = refusalNow();
      if (refusal) {
        throw refusal;
      }
      if (waiting() === 0) {
        // Time in which no request waited is not made up for.
        nextMs = Math.max(nextMs, time.now());
      }
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      queues[urgency].push({ sinceMs: time.now(), refuse, resolve, reject });
      sendNext();
      const startedMs = await promise;
      try {
        return await send();
      } finally {
        noteResponse(startedMs);
      }
    },
    /** Pauses because Discord asks for it. If the pause is long, waiting requests fail. */
    pauseFor(durationMs: number): void {
      pausedUntilMs = Math.max(pausedUntilMs, time.now() + durationMs);
      refuseWaiting();
      sendNext();
    },
    /** Rejects all requests, waiting and new. */
    stop(): void {
      stopped = true;
      cancelTimer?.();
      refuseWaiting();
    },
  };
}

/**
 * Milliseconds since an arbitrary start, never set back, and timers that follow them: the machine's own time, plus any
 * further time that has passed on the bot's clock. The limiter protects a real server, so a clock that stands still
 * must not delay anything. If a clock is set ahead by a day, or the machine sleeps for a day, a day has passed for the
 * server too.
 */
export type LimiterTime = Pick<Clock, "now" | "after">;

/** The machine's own time, which is never set back, unlike the time of day. */
export const machineTime: LimiterTime = { ...systemClock, now: () => performance.now() };

/** The two clocks differ by rounding; a larger difference means that the bot's clock was set ahead. */
const ROUNDING_MS = 5;

/** A timer fires when its delay has passed on either of the two clocks. */
export function createLimiterTime(
  clock: Pick<Clock, "elapsed" | "after">,
  machine: LimiterTime = machineTime,
): LimiterTime {
  let lastMachineMs = machine.now();
  let lastClockMs = clock.elapsed();
  let turnedMs = 0;
  return {
    now() {
      const machineMs = machine.now();
      const clockMs = clock.elapsed();
      const turnMs = clockMs - lastClockMs - (machineMs - lastMachineMs);
      if (turnMs > ROUNDING_MS) {
        turnedMs += turnMs;
      }
      lastMachineMs = machineMs;
      lastClockMs = clockMs;
      return machineMs + turnedMs;
    },
    after(delayMs, callback) {
      const cancels = [machine, clock].map((each) => each.after(delayMs, fire));
      const cancel = (): void => cancels.forEach((each) => each());
      function fire(): void {
        cancel();
        callback();
      }
      return cancel;
    },
  };
}
