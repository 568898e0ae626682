// The documentation names only files that exist, and its diffs apply to the present files.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createPageCopy } from "./support/page-copy.ts";

const root = new URL("../", import.meta.url);
/** Not a path on a line of its own: that is the title of a file that the page prints. */
const PATH = /(?!^`[^`]+`$)`((?:test|src|sandbox|commands|bench)\/[\w./-]+\.(?:ts|js|tsx))`/gm;

function pathsIn(page: string): readonly string[] {
  const text = readFileSync(new URL(`docs/${page}`, root), "utf8");
  return [...text.matchAll(PATH)].map(([, path = ""]) => path);
}

const isMissing = (path: string) => !existsSync(new URL(path, root));

it("every page names only tests and sources that exist", () => {
  const pages = readdirSync(new URL("docs", root)).filter((file) => file.endsWith(".md"));
  expect(pages.flatMap(pathsIn).filter(isMissing)).toEqual([]);
});

it("the page about faults names a test in each row", () => {
  const rows = readFileSync(new URL("docs/faults.md", root), "utf8").match(/^\| [A-Z].*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter((row) => !row.includes("`test/"))).toEqual([]);
});

it("the diff in docs/first-command.md applies to the present files", () => {
  // test/long/first-command.test.ts also runs the code of the page.
  using page = createPageCopy("docs/first-command.md");
  expect(readFileSync(join(page.folder, "src/compose.ts"), "utf8")).toContain("createStationQuiz(stations)");
});
