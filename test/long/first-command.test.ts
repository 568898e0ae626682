// Follows docs/first-command.md, the page that shows how to write a command, to the letter.
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { createPageCopy } from "../support/page-copy.ts";

it("the code in docs/first-command.md compiles, passes lint and passes its tests", () => {
  using page = createPageCopy("docs/first-command.md");
  const tests = page.files.filter((file) => file.startsWith("test/"));
  expect(page.files).toHaveLength(5);
  expect(tests).toHaveLength(2);
  const run = (...args: string[]) => execFileSync("npx", args, { cwd: page.folder, encoding: "utf8" });
  run("oxlint", "--type-aware", "--type-check", "--deny-warnings", "src", "commands", "test");
  expect(run("vitest", "run", ...tests)).toContain("2 passed, 0 failed, 0 skipped");
});
