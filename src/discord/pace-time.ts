// The time in which paces are counted: the machine's own, plus whatever more has passed on the bot's clock. A pace keeps a
// real flood from a real server, so a clock that stands still must hold nothing up; a clock that is turned by hand by a
// day, or that of a machine that slept for a day, has given the server a day's time.
import { systemClock, type Clock } from "../core/clock.ts";

/** Milliseconds from an arbitrary beginning, never going back, and timers that follow them. */
export type PaceTime = Pick<Clock, "now" | "after">;

/** Never set back, unlike the time of day. */
export const machineTime: PaceTime = { ...systemClock, now: () => performance.now() };

/** The two differ by rounding; only what is more is a turn. */
const ROUNDING_MS = 5;

/** A timer fires when either of the two has passed. */
export function createPaceTime(
  clock: Pick<Clock, "elapsed" | "after">,
  machine: PaceTime = machineTime,
): PaceTime {
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
