import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { summaryReporter } from "./test/support/summary-reporter.ts";
import { WorldsFirst } from "./test/support/worlds-first.ts";

export default defineConfig({
  test: {
    globalSetup: ["test/support/postgres-server.ts", "test/support/chromium-server.ts"],
    setupFiles: ["test/support/keep-compiled.ts"],
    // Node runs the sources as they are: there is nothing to translate, and nothing is mocked.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // More than there are cores: much of the time goes to waiting for child processes and for time itself.
    maxWorkers: 2 * availableParallelism() + 1,
    sequence: { sequencer: WorldsFirst },
    // What is waited for comes by itself, though late where several workers and their bots share one core.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: ["default", summaryReporter],
    include: ["test/**/*.test.ts"],
    exclude: ["test/long/**"],
    // Files share a worker and what it has loaded, which halved the processor's time.
    isolate: false,
  },
});
