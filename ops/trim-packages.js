// Removes what packages bring and nothing here reads: source maps, and the headers of the pinned Node (67 MB). Runs after
// every installation. `--types` removes type declarations too; the image is built with it.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = fileURLToPath(new URL("../node_modules", import.meta.url));
const UNREAD = process.argv.includes("--types") ? /\.(?:[cm]?[jt]s\.map|d\.[cm]?ts)$/ : /\.[cm]?[jt]s\.map$/;

// Plain JavaScript, and without globs: it must run on the Node that npm runs on, which may be older than the pinned one.
const paths = existsSync(PACKAGES) ? readdirSync(PACKAGES, { recursive: true, encoding: "utf8" }) : [];
for (const path of paths) {
  if (UNREAD.test(path) || /^node.node_modules.node-[^/\\]+.include$/.test(path)) {
    rmSync(join(PACKAGES, path), { recursive: true, force: true });
  }
}
