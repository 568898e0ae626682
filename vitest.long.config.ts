import { defineConfig } from "vitest/config";
import { summaryReporter } from "./test/support/summary-reporter.ts";

/** The campaigns that repeat crashes and faults hundreds of times. */
export default defineConfig({
  test: {
    globalSetup: ["test/support/postgres-server.ts", "test/support/chromium-server.ts"],
    setupFiles: ["test/support/keep-compiled.ts"],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    include: ["test/long/**/*.test.ts"],
    testTimeout: 600_000,
    hookTimeout: 60_000,
    reporters: ["default", summaryReporter],
  },
});
