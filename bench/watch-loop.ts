// Loaded before the bot into its process, which knows nothing of it: measures how long its event loop is held up. At
// every SIGUSR2 it writes what it has measured since the last one to the file that BENCH_LOOP_FILE names.
import { renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

/** What stands in the file, in milliseconds. A free loop shows the resolution. */
export interface LoopDelay {
  readonly p99: number;
  readonly max: number;
}

const RESOLUTION_MS = 1;
const NANOSECONDS = 1e6;

const file = process.env["BENCH_LOOP_FILE"];
if (file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  process.on("SIGUSR2", () => {
    const measured: LoopDelay = {
      p99: delay.percentile(99) / NANOSECONDS,
      max: delay.max / NANOSECONDS,
    };
    delay.reset();
    // Whoever waits for the file must not read half of it.
    writeFileSync(`${file}.new`, JSON.stringify(measured));
    renameSync(`${file}.new`, file);
  });
}
