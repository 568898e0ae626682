import { defineConfig } from "vitest/config";
import { summaryReporter } from "./test/support/summary-reporter.ts";

export default defineConfig({
  test: {
    globalSetup: ["test/support/postgres-server.ts"],
    include: ["test/**/*.test.ts"],
    exclude: ["test/long/**"],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    reporters: ["default", summaryReporter],
  },
});
