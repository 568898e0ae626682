import { defineConfig } from "vitest/config";
import { summaryReporter } from "./test/support/summary-reporter.ts";
import { WorldsFirst } from "./test/support/worlds-first.ts";

/** Tests of whole worlds. */
const WORLDS = ["test/e2e/**/*.test.ts", "test/browser/**/*.test.ts", "test/sandbox/**/*.test.ts"];
/** Tests of what happens once in a process. */
const ALONE = ["test/sandbox/transport/journey/first-journey.test.ts"];

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
      // Files share a worker and what it has loaded, which saved a fifth of the whole run.
      { extends: true, test: { name: "worlds", include: WORLDS, exclude: ALONE, isolate: false } },
      { extends: true, test: { name: "alone", include: ALONE } },
      {
        extends: true,
        test: {
          name: "rooms",
          include: ["test/**/*.test.ts"],
          exclude: ["test/long/**", ...WORLDS],
          isolate: false,
        },
      },
    ],
  },
});
