import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { summaryReporter } from "./test/support/summary-reporter.ts";
import { WorldsFirst } from "./test/support/worlds-first.ts";

/** Property tests, of which `npm test` tries a tenth of the cases. */
const PROPERTIES = globSync("test/**/*.test.ts").filter((path) =>
  readFileSync(path, "utf8").includes('support/cases.ts"'),
);

/** Runs the campaigns that repeat crashes and faults hundreds of times, and all cases of the properties. */
export default defineConfig({
  test: {
    globalSetup: ["test/support/postgres-server.ts", "test/support/chromium-server.ts"],
    setupFiles: ["test/support/keep-compiled.ts"],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    include: ["test/long/**/*.test.ts", ...PROPERTIES],
    env: { EVERY_CASE: "1" },
    // Campaigns mostly wait for processes to start and for time.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: WorldsFirst },
    testTimeout: 600_000,
    hookTimeout: 60_000,
    reporters: ["default", summaryReporter],
  },
});
