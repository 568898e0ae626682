// Copies the project and adds the files and changes that a page of the documentation prints.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const COPIED = [
  "src",
  "commands",
  "sandbox",
  "bench",
  "test",
  "docs",
  "README.md",
  "CHANGELOG.md",
  "LICENSE",
  ".oxfmtrc.json",
  "package.json",
  "tsconfig.json",
  "vitest.config.ts",
  "knip.config.ts",
  "oxlint.config.ts",
];

export interface PageCopy extends Disposable {
  readonly folder: string;
  /** The files that the page prints, e.g. `commands/quiz.ts`. */
  readonly files: readonly string[];
}

/** Creates a copy. Throws if the context of a printed change is not in its file. */
export function createPageCopy(page: string): PageCopy {
  const text = readFileSync(join(ROOT, page), "utf8");
  const folder = mkdtempSync(join(tmpdir(), "signalbox-page-"));
  for (const path of COPIED) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const files = [...text.matchAll(/^`([\w./-]+)`\n\n```ts\n(.*?)^```$/gms)].map(
    ([, path = "", source = ""]) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), source);
      return path;
    },
  );
  for (const [, path = "", change = ""] of text.matchAll(
    /^```diff\n--- [^\n]*\n\+\+\+ b\/([^\n]*)\n(.*?)^```$/gms,
  )) {
    const target = join(folder, path);
    writeFileSync(target, addLines(readFileSync(target, "utf8"), change));
  }
  return { folder, files, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Inserts each added line after the context line before it. */
function addLines(source: string, change: string): string {
  const lines = source.split("\n");
  let at = -1;
  for (const line of change.split("\n")) {
    if (line.startsWith(" ")) {
      at = lines.indexOf(line.slice(1), at + 1);
      if (at < 0) {
        throw new Error(`no line ${JSON.stringify(line.slice(1))}`);
      }
    } else if (line.startsWith("+")) {
      at += 1;
      lines.splice(at, 0, line.slice(1));
    }
  }
  return lines.join("\n");
}
