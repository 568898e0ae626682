// Follows docs/first-command.md, the page that shows how to write a command, to the letter.
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { createPageCopy } from "../support/page-copy.ts";

/** Those of the project's tests that read all commands, sentences or files. */
const ABOUT_ALL_COMMANDS = [
  ...["architecture", "docs", "readme", "words"].map((name) => `test/${name}.test.ts`),
  ...["permissions-page", "read-commands", "registry", "wording"].map(
    (name) => `test/discord/${name}.test.ts`,
  ),
  "test/operations/help-view.test.ts",
  "test/commands/",
];

it("the code in docs/first-command.md passes the check, its own tests and those about all commands", () => {
  using page = createPageCopy("docs/first-command.md");
  const tests = page.files.filter((file) => file.startsWith("test/"));
  expect(page.files).toHaveLength(5);
  expect(tests).toHaveLength(2);
  const run = (...args: string[]) => execFileSync("npx", args, { cwd: page.folder, encoding: "utf8" });
  run("oxlint", "--type-aware", "--type-check", "--deny-warnings", "src", "commands", "test");
  run("oxfmt", "--check", "src", "commands", "test", "README.md");
  run("knip");
  expect(run("vitest", "run", ...tests)).toContain("2 passed, 0 failed, 0 skipped");
  run("vitest", "run", "test/discord/permissions-page.test.ts", "-u");
  expect(run("vitest", "run", ...ABOUT_ALL_COMMANDS)).toContain(", 0 failed,");
});
