// The time for rates: the machine's, plus every advance of the sandbox's clock. With the machine's alone, a bot that
// limits itself on an advanced clock would seem to flood. With a stopped clock alone, no limit would ever reset.
import type { Clock } from "../../clock/clock.ts";

/** Monotonic milliseconds from an arbitrary start. */
export type PaceClock = () => number;

/** A running clock and the machine's differ by rounding; only a larger difference is an advance. */
const ROUNDING_MS = 5;

/** `machineNow` must be monotonic; tests pass their own. */
export function createPaceClock(
  clock: Pick<Clock, "now">,
  machineNow: () => number = () => performance.now(),
): PaceClock {
  let lastMachineMs = machineNow();
  let lastClockMs = clock.now();
  let turnedMs = 0;
  return () => {
    const machineMs = machineNow();
    const clockMs = clock.now();
    const turnMs = clockMs - lastClockMs - (machineMs - lastMachineMs);
    if (turnMs > ROUNDING_MS) {
      turnedMs += turnMs;
    }
    lastMachineMs = machineMs;
    lastClockMs = clockMs;
    return machineMs + turnedMs;
  };
}
