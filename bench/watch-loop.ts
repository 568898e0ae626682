// Preloaded into the bot's process, without the bot's knowledge: measures how long its event loop is blocked. At each
// SIGUSR2, it writes the measurements since the last one to the file named by BENCH_LOOP_FILE.
import { renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

/** The content of the file, in milliseconds. An idle loop shows the resolution. */
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
    // Renaming makes the file appear at once, complete.
    writeFileSync(`${file}.new`, JSON.stringify(measured));
    renameSync(`${file}.new`, file);
  });
}
