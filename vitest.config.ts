import { defineConfig } from "vitest/config";
import { summaryReporter } from "./test/support/summary-reporter.ts";
import { WorldsFirst } from "./test/support/worlds-first.ts";

/** Tests of whole worlds, each of which has its process to itself. */
const WORLDS = ["test/e2e/**/*.test.ts", "test/browser/**/*.test.ts", "test/sandbox/**/*.test.ts"];

export default defineConfig({
  test: {
    globalSetup: ["test/support/postgres-server.ts"],
    // Half of the time goes to waiting for child processes: every core is worth a worker.
    maxWorkers: "100%",
    sequence: { sequencer: WorldsFirst },
    // What is waited for comes by itself, though late where several workers and their bots share one core.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: ["default", summaryReporter],
    projects: [
      { extends: true, test: { name: "worlds", include: WORLDS } },
      {
        extends: true,
        test: {
          name: "rooms",
          include: ["test/**/*.test.ts"],
          exclude: ["test/long/**", ...WORLDS],
          // These files share a worker and what it has loaded: loading took a third of their time.
          isolate: false,
        },
      },
    ],
  },
});
