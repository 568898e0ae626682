// Sends requests one by one, so that Discord never counts more than its 50 in any second.
//
// Evenly, since bursts arrive as larger bursts; and counting what is still on its way, since requests that the network
// holds up arrive together with those after them. The known libraries let a second's worth go at once or space by the
// time of day, and none counts what is on its way.
// https://discord.com/developers/docs/topics/rate-limits#global-rate-limit
import { type Clock, systemClock } from "../core/clock.ts";
import type { Readings } from "../core/meter.ts";

/** `prompt`: somebody waits for it. The two kinds take turns, so that neither starves the other. */
export type Urgency = "prompt" | "bulk";

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** Nothing was sent. `retryAfterMs`: for how long Discord wants silence; `undefined` where the bot is leaving. */
export class NotSentError extends Error {
  override readonly name = "NotSentError";
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs?: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** A little under 50 in a second: what the rest of the bot asks counts too, and no two networks are equally even. */
const SPACING_MS = 20.7;
/** So much of a delay of our own is made up for, e.g. while a picture was drawn: by five turns at once. */
const SLACK_MS = 100;
/** How many requests of all the bot's processes may arrive in one second. */
export const MAX_PER_SECOND = 49;
const WINDOW_MS = 1000;
/**
 * The quickest of this many answers shows how long a round trip takes at least. They cover 20 seconds: if there were fewer and
 * all of them were delayed for a moment, later requests would arrive sooner than expected.
 */
const SAMPLES = 1_000;
const MIN_SAMPLES = 20;
/** A longer silence is not worth waiting for. */
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
  /** How many of {@link MAX_PER_SECOND} this process may use at a moment. */
  let shareAt: (nowMs: number) => number = wholeLimit;

  const shareNow = (): number => shareAt(time.now());
  const spacingMs = (): number => (SPACING_MS * MAX_PER_SECOND) / shareNow();
  const waiting = (): number => queues.prompt.length + queues.bulk.length;
  /** How many requests count against those that start now. */
  function counted(nowMs = time.now()): number {
    countedUntilMs = countedUntilMs.filter((untilMs) => untilMs > nowMs);
    return onTheWay + countedUntilMs.length;
  }
  const ageMs = ([oldest]: readonly Waiting[]) => (oldest ? time.now() - oldest.sinceMs : 0);

  function msUntilTurn(nowMs: number): number {
    const excess = counted(nowMs) - shareNow();
    // If too few of them are answered, the next answer calls again; without a share, `setShare` does.
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
   * A request has arrived at some moment between its start and its answer, at the latest the least way back before the
   * answer; and everything arrives later than it starts by the least way there. So what counts against those who start
   * now ends a second after its answer less the whole least way.
   */
  function noteAnswer(startedMs: number): void {
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

  function rejectAll(error: NotSentError): void {
    for (const { reject } of [...queues.prompt.splice(0), ...queues.bulk.splice(0)]) {
      reject(error);
    }
  }

  function refusalNow(): NotSentError | undefined {
    const pausedMs = pausedUntilMs - time.now();
    if (stopped) {
      return new NotSentError("the bot is leaving");
    }
    return pausedMs > MAX_WAIT_MS ? new NotSentError("Discord asks for silence", pausedMs) : undefined;
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
     * From now on this many may arrive in one second. Requests that have started count until their second is over. The share
     * may shrink by itself as time passes, also where the process is suspended meanwhile.
     */
    setShare(next: (nowMs: number) => number): void {
      shareAt = next;
      nextMs = Math.min(nextMs, time.now() + spacingMs());
      sendNext();
    },
    /**
     * Sends when its turn has come. Throws a NotSentError instead where that is too far away, or where `refuse` gives one
     * at its turn, which is then another's.
     */
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
        // Time in which nobody waited was not lost.
        nextMs = Math.max(nextMs, time.now());
      }
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      queues[urgency].push({ sinceMs: time.now(), refuse, resolve, reject });
      sendNext();
      const startedMs = await promise;
      try {
        return await send();
      } finally {
        noteAnswer(startedMs);
      }
    },
    /** Discord asks for silence. Where that is long, waiting requests fail. */
    pauseFor(durationMs: number): void {
      pausedUntilMs = Math.max(pausedUntilMs, time.now() + durationMs);
      const refusal = refusalNow();
      if (refusal) {
        rejectAll(refusal);
      }
      sendNext();
    },
    /** Refuses all requests, waiting and new. */
    stop(): void {
      stopped = true;
      cancelTimer?.();
      rejectAll(new NotSentError("the bot is leaving"));
    },
  };
}

/**
 * Milliseconds from an arbitrary beginning, never going back, and timers that follow them: the machine's own time, plus
 * what more has passed on the bot's clock. The limiter keeps a real flood from a real server, so a clock that stands
 * still must delay nothing; a clock that is turned by a day, or that of a machine that slept for a day, has given the
 * server a day's time.
 */
export type LimiterTime = Pick<Clock, "now" | "after">;

/** Never set back, unlike the time of day. */
export const machineTime: LimiterTime = { ...systemClock, now: () => performance.now() };

/** The two clocks differ by rounding; a larger difference means that the bot's clock was turned. */
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
      function cancel(): void {
        for (const cancelOne of cancels) {
          cancelOne();
        }
      }
      function fire(): void {
        cancel();
        callback();
      }
      return cancel;
    },
  };
}
