import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { summaryReporter } from "./test/support/summary-reporter.ts";
import { WorldsFirst } from "./test/support/worlds-first.ts";

export default defineConfig({
  test: {
    globalSetup: ["test/support/postgres-server.ts", "test/support/chromium-server.ts"],
    setupFiles: ["test/support/keep-compiled.ts"],
    // Node runs the sources directly: nothing is transpiled or mocked.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // More workers than cores, because tests mostly wait for child processes and for time.
    maxWorkers: 2 * availableParallelism() + 2,
    sequence: { sequencer: WorldsFirst },
    // Events come without further action, but late if several workers and their bots share one core.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: ["default", summaryReporter],
    include: ["test/**/*.test.ts"],
    exclude: ["test/long/**"],
    // Files share a worker and its loaded modules, which halved the processor time.
    isolate: false,
  },
});
