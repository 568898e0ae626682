// The time in which rates are counted: the machine's, plus every turn of the sandbox's clock. On the machine's
// alone a bot that paces itself on a turned clock would seem to flood; on a clock that stands still nothing
// would ever be allowed again.
import type { Clock } from "../../clock/clock.ts";

/** Monotonic milliseconds from an arbitrary beginning. */
export type PaceClock = () => number;

/** A running clock and the machine's differ by rounding; only what is more is a turn. */
const ROUNDING_MS = 5;

/** `machineNow` is monotonic; tests bring their own. */
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
