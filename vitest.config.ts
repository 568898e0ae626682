import { defineConfig } from "vitest/config";
import { summaryReporter } from "./test/support/summary-reporter.ts";

export default defineConfig({
  test: {
    globalSetup: ["test/support/postgres-server.ts"],
    include: ["test/**/*.test.ts"],
    exclude: ["test/long/**"],
    // Half of the time goes to waiting for child processes: every core is worth a worker.
    maxWorkers: "100%",
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // What is waited for comes by itself; a second is little where two workers share a core.
    expect: { poll: { timeout: 10_000 } },
    reporters: ["default", summaryReporter],
  },
});
