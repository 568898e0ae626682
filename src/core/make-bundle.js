// Bundles a program and everything that it loads into a few files. Loading 1,500 small files took more than half of a
// start, and 12 MB. The only module that imports rolldown, which also builds the sandbox's page. Bundling takes a
// second. esbuild would be one more tool, and Node has no bundler.
import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/**
 * Not bundled: the first two load native code from their own folders. chart.js is loaded late, together with the first.
 */
const NATIVE = ["@napi-rs/canvas", "sharp", "chart.js"];
/** Not installed: optional dependencies of discord.js, ws and pg. */
const OPTIONAL = ["zlib-sync", "bufferutil", "utf-8-validate", "pg-native"];
const require = createRequire(import.meta.url);
/**
 * Replaces both copies of undici that discord.js installs, which are of one version. The bot's own copy is not in the
 * bundle, because it is loaded late.
 */
const UNDICI = createRequire(require.resolve("discord.js")).resolve("undici");

/**
 * Keeps each module's original `import.meta.url`, because some read or run files beside their source. Stack traces
 * refer to our sources, but not to those of libraries, whose source maps would be ten times as large.
 * @type {import("rolldown").Plugin}
 */
const keepPlaces = {
  name: "keep-places",
  transform: {
    filter: { id: /\.[cm]?[jt]s$/ },
    handler(code, id) {
      const placed = code
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
        // Node already has FormData, and even checking would load Node's own copy of undici.
        .replace("globalThis.FormData ??=", "void ");
      return id.includes("node_modules")
        ? { code: placed, map: { version: 3, sources: [], names: [], mappings: "" } }
        : { code: placed, map: null };
    },
  },
};

/**
 * @param {import("./compiled-code.js").Program} program
 * @param {string} folder
 */
export async function makeBundle({ entry }, folder) {
  const commands = readdirSync(join(ROOT, "commands"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join("commands", name.slice(0, -".ts".length)));
  const bundle = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries([entry, ...commands].map((path) => [path, join(ROOT, `${path}.ts`)])),
    platform: "node",
    resolve: { alias: { undici: UNDICI } },
    external: [...NATIVE, ...OPTIONAL],
    plugins: [keepPlaces],
    logLevel: "silent",
  });
  const unfinished = `${folder}.${process.pid}`;
  await bundle.write({
    dir: unfinished,
    format: "esm",
    sourcemap: true,
    sourcemapExcludeSources: true,
    keepNames: true,
    comments: false,
    charset: "ascii",
    entryFileNames: "[name].js",
    chunkFileNames: "src/[name]-[hash].js",
    // One file for everything that commands share, instead of 70, saves 35 ms of a start.
    codeSplitting: { groups: [{ name: "shared", minShareCount: 2 }] },
  });
  await bundle.close();
  // Without a package.json, Node would parse each file twice to learn that it is a module.
  writeFileSync(join(unfinished, "package.json"), JSON.stringify({ type: "module" }));
  try {
    renameSync(unfinished, folder);
  } catch {
    // Another process was faster.
    rmSync(unfinished, { recursive: true });
  }
}
