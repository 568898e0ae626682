// Preloaded into the bot's process, without the bot's knowledge: at each SIGUSR2, it collects all garbage and writes
// the remaining memory to the file named by BENCH_MEMORY_FILE.
import { renameSync, writeFileSync } from "node:fs";

/** The content of the file. */
export interface LeftMemory {
  /** Bytes of the heap in use after the collection. */
  readonly heapUsed: number;
  /** Bytes outside the heap that belong to its objects. */
  readonly external: number;
  /** The number of resources that keep the event loop alive, by kind, e.g. `TCPSocketWrap`. */
  readonly resources: Readonly<Record<string, number>>;
}

const file = process.env["BENCH_MEMORY_FILE"];
if (file !== undefined) {
  process.on("SIGUSR2", () => {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    const kinds = Object.groupBy(process.getActiveResourcesInfo(), (kind) => kind);
    const resources = Object.fromEntries(
      Object.entries(kinds).map(([kind, all = []]) => [kind, all.length] as const),
    );
    const left: LeftMemory = { heapUsed, external, resources };
    // Renaming makes the file appear at once, complete.
    writeFileSync(`${file}.new`, JSON.stringify(left));
    renameSync(`${file}.new`, file);
  });
}
