// Closes a test run with one plain line that any tool can read: `12 passed, 0 failed, 1 skipped`.
import type { Reporter, TestModule } from "vitest/node";

export const summaryReporter: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    );
    const count = (state: string) => states.filter((one) => one === state).length;
    const broken = modules.filter((module) => module.errors().length > 0).length;
    process.on("exit", () => {
      process.stdout.write(
        `\n${count("passed")} passed, ${count("failed") + broken} failed, ${count("skipped")} skipped\n`,
      );
    });
  },
};
