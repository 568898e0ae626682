// Loaded before the bot into its process, which knows nothing of it: at every SIGUSR2 it collects all garbage and writes
// what is left to the file that BENCH_MEMORY_FILE names.
import { renameSync, writeFileSync } from "node:fs";

/** What stands in the file. */
export interface LeftMemory {
  /** Bytes of the heap that are still in use after the collection. */
  readonly heapUsed: number;
  /** Bytes outside it that its objects hold. */
  readonly external: number;
  /** What keeps the event loop alive, e.g. `TCPSocketWrap`, and how many there are. */
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
    // Whoever waits for the file must not read half of it.
    writeFileSync(`${file}.new`, JSON.stringify(left));
    renameSync(`${file}.new`, file);
  });
}
