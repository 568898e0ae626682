// The sandbox's time. It stands still until it is advanced, or runs with an offset to the machine's clock.

/** A source of time in whole milliseconds, with timers that follow it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds since a fixed time. A jump of the clock does not change it. */
  elapsed(): number;
  /** Calls `callback` once, after `delayMs` on this clock. Returns a function that cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** A clock by which the local Discord can also count the rates of requests. */
export interface RateClock extends Clock {
  /**
   * Milliseconds since a fixed time, with every advance. Unlike `elapsed`, it runs with the machine's time even if the
   * clock stands still, because real requests arrive in real time.
   */
  forRates(): number;
}

/** `still`: moves only when advanced. `running`: the machine's time plus all advances. */
export type ClockMode = "still" | "running";

/** The state of a clock, to send to another process. */
interface ClockState {
  readonly nowMs: number;
  readonly mode: ClockMode;
  /** How far the clock jumped without time passing; 0 if time passed. */
  readonly jumpMs: number;
}

export type SandboxClock = ReturnType<typeof createSandboxClock>;

interface Timer {
  dueMs: number;
  readonly callback: () => void;
}

/** The longest delay that Node's timers accept. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/** `atMs` is the initial time. A `running` clock continues from there at the machine's rate. */
export function createSandboxClock(options: { readonly atMs: number; readonly mode: ClockMode }) {
  const { mode } = options;
  const machineNow = () => (mode === "running" ? Date.now() : 0);
  const startedAtMs = performance.now();
  let offsetMs = options.atMs - machineNow();
  let advancedMs = 0;
  let wake: NodeJS.Timeout | undefined;
  let wakeAtMs = Infinity;
  /** Soonest first; timers for the same time are in the order in which they were set. */
  const timers: Timer[] = [];
  const listeners = new Set<(state: ClockState) => unknown>();

  const now = () => Math.floor(machineNow() + offsetMs);

  function takeDue(atMs: number): Timer | undefined {
    const first = timers[0];
    return first !== undefined && first.dueMs <= atMs ? timers.shift() : undefined;
  }

  /** Sets the machine's timer for the next timer of a running clock. A still clock needs none. */
  function armTimer(): void {
    const next = timers[0];
    if (mode === "still" || next?.dueMs === wakeAtMs) {
      return;
    }
    clearTimeout(wake);
    wakeAtMs = next?.dueMs ?? Infinity;
    if (next !== undefined) {
      wake = setTimeout(fireDueTimers, Math.min(Math.max(0, next.dueMs - now()), LONGEST_DELAY_MS));
    }
  }

  function fireDueTimers(): void {
    wakeAtMs = Infinity;
    for (let due = takeDue(now()); due !== undefined; due = takeDue(now())) {
      due.callback();
    }
    armTimer();
  }

  function move(deltaMs: number): void {
    offsetMs += deltaMs;
    advancedMs += Math.max(0, deltaMs);
  }

  async function notify(jumpMs: number): Promise<void> {
    wakeAtMs = Infinity;
    armTimer();
    await Promise.all([...listeners].map(async (listener) => listener({ nowMs: now(), mode, jumpMs })));
  }

  async function moveTo(atMs: number): Promise<void> {
    for (let due = takeDue(atMs); due !== undefined; due = takeDue(atMs)) {
      move(Math.max(0, due.dueMs - now()));
      due.callback();
      // The callback may start code that sets further timers: let it run before the next timer fires.
      await new Promise((resolve) => setImmediate(resolve));
    }
    move(atMs - now());
    await notify(0);
  }

  return {
    mode,
    now,
    forRates: () => advancedMs + performance.now(),
    elapsed: () => Math.floor(advancedMs + (mode === "running" ? performance.now() - startedAtMs : 0)),
    after(delayMs: number, callback: () => void) {
      // Whole milliseconds, because the machine's clock has no fractions.
      const timer = { dueMs: now() + Math.max(0, Math.ceil(delayMs)), callback };
      timers.splice(timers.findLastIndex(({ dueMs }) => dueMs <= timer.dueMs) + 1, 0, timer);
      armTimer();
      return () => {
        const place = timers.indexOf(timer);
        if (place !== -1) {
          timers.splice(place, 1);
          armTimer();
        }
      };
    },
    /** Moves the clock forward and fires the timers on the way in order. Resolves when all of them have run. */
    advance: (deltaMs: number) => moveTo(now() + deltaMs),
    /** Sets the clock to a time. Forward, it works like `advance`; backward, no timer fires. */
    set: moveTo,
    /** Changes the shown time, as if the machine's clock had been set: no time passes and no timer fires. */
    async jump(deltaMs: number) {
      offsetMs += deltaMs;
      for (const timer of timers) {
        timer.dueMs += deltaMs;
      }
      await notify(deltaMs);
    },
    /** A change of the clock is complete when all listeners have settled. */
    onChange(listener: (state: ClockState) => unknown) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Removes all timers, so that none keeps the process alive. */
    stop() {
      timers.length = 0;
      clearTimeout(wake);
    },
  };
}
