// The time in which paces are counted: the machine's own, plus whatever the bot's clock is turned by hand. A pace keeps a
// real flood from a real server, so a clock that stands still must hold nothing up; and a clock that is turned by a
// day has given the server a day's time.
import { systemClock, type Clock } from "../core/clock.ts";

/** Never set back, unlike the time of day. */
export const machineTime: Clock = { ...systemClock, now: () => performance.now() };

/** The machine's time and the time of day differ by rounding; only what is more is a turn. */
const ROUNDING_MS = 5;

/** Milliseconds from an arbitrary beginning, never going back. A timer fires when either of the two has passed. */
export function createPaceTime(clock: Clock, machine: Clock = machineTime): Clock {
  let lastMachineMs = machine.now();
  let lastClockMs = clock.now();
  let turnedMs = 0;
  return {
    now() {
      const machineMs = machine.now();
      const clockMs = clock.now();
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
