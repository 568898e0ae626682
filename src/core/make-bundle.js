// Makes a bundle: a program with all that it loads in a few files. 1,500 small ones took more than half of a start, and
// 12 MB. The only module that imports rolldown, which is what the sandbox's page is built with: a second's work, where
// esbuild would be one more tool, and Node has none.
import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** They load machine code from beside themselves; the last is loaded with the first, and later. */
const NATIVE = ["@napi-rs/canvas", "sharp", "chart.js"];
/** Discord.js, ws and pg would use them if they were installed. */
const OPTIONAL = ["zlib-sync", "bufferutil", "utf-8-validate", "pg-native"];
const require = createRequire(import.meta.url);
/** For both copies that discord.js brings, of one version. The bot's own is not in the bundle: it is loaded late. */
const UNDICI = createRequire(require.resolve("discord.js")).resolve("undici");

/**
 * A module's own place stays what it was: files beside it are read and run. Errors are traced to our sources, but not to
 * those of libraries, whose maps would be ten times as large.
 * @type {import("rolldown").Plugin}
 */
const keepPlaces = {
  name: "keep-places",
  transform: {
    filter: { id: /\.[cm]?[jt]s$/ },
    handler(code, id) {
      const placed = code
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
        // Node already has it, and even checking would load Node's own copy of undici.
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
    // One file of what commands share, instead of 70: 35 ms of a start.
    codeSplitting: { groups: [{ name: "shared", minShareCount: 2 }] },
  });
  await bundle.close();
  // Without it, Node would read each file twice to learn that it is a module.
  writeFileSync(join(unfinished, "package.json"), JSON.stringify({ type: "module" }));
  try {
    renameSync(unfinished, folder);
  } catch {
    // Another process was faster.
    rmSync(unfinished, { recursive: true });
  }
}
