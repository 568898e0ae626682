import { defineConfig } from "vitest/config";

/** The campaigns that repeat crashes and faults hundreds of times. */
export default defineConfig({
  test: {
    include: ["test/long/**/*.test.ts"],
    testTimeout: 600_000,
    hookTimeout: 60_000,
    reporters: ["default"],
  },
});
