// Ends a test run with a list of the tests that were skipped because something is missing, and a line that any tool can
// read: `12 passed, 0 failed, 1 skipped`.
import type { Reporter, TestModule } from "vitest/node";

export const summaryReporter: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    );
    const count = (state: string) => states.filter((one) => one === state).length;
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const unproved = modules.flatMap(linesOf);
    process.on("exit", () => {
      if (unproved.length > 0) {
        process.stdout.write(`\nNot proved here, since something is missing:\n${unproved.join("\n")}\n`);
      }
      process.stdout.write(
        `\n${count("passed")} passed, ${count("failed") + broken} failed, ${count("skipped")} skipped\n`,
      );
    });
  },
};

/**
 * The skipped tests of a file, one line for each reason. Tests without a reason are explained in the file's own output.
 */
function linesOf(module: TestModule): readonly string[] {
  const skipped = [...module.children.allTests("skipped")].map((test) => {
    const result = test.result();
    return { name: test.name, note: result.state === "skipped" ? result.note : undefined };
  });
  return Map.groupBy(skipped, ({ note }) => note)
    .entries()
    .map(([note, tests]) => {
      const what = tests.length === 1 ? `“${tests[0]?.name}”` : `${tests.length} tests`;
      return `- ${module.relativeModuleId}: ${what}${note === undefined ? "" : `, as ${note}`}`;
    })
    .toArray();
}
