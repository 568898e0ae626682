// Bundles a program and everything that it loads into a few files, loads every module that it may load later, and ends,
// so that the compiled code of all of them is cached: see core/compiled-code.js. Loading 1,500 small files took more than
// half of a start, and 12 MB. Bundling takes a second. The arguments are the program's entry and folders. Default: the
// bot's.
import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { BOT, bundleOf, filesOf, cacheCompiledCode, removeOutdated } from "./core/compiled-code.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The modules that the bot loads late, besides its commands. */
const LATE_MODULES = [
  "src/app",
  "src/first-settings",
  "src/operations/metrics",
  "src/storage/sqlite",
  "src/storage/postgres",
];

/**
 * Not bundled: the first two load native code from their own folders. chart.js is loaded late, together with the first.
 */
const NATIVE = ["@napi-rs/canvas", "sharp", "chart.js"];
/** Not installed: optional dependencies of discord.js, ws and pg. */
const OPTIONAL = ["zlib-sync", "bufferutil", "utf-8-validate", "pg-native"];

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

const [entry, ...folders] = process.argv.slice(2);
const program = entry === undefined ? BOT : { entry, folders };
try {
  await makeBundle(program.entry, bundleOf(program));
} catch {
  // If the bundler is not installed or a source has an error, the sources are loaded instead; loading reports the error.
}
cacheCompiledCode();
const { file, folder, commands, isBundle } = filesOf(program);
const modules = isBundle
  ? modulesIn(folder)
  : [program.entry, ...LATE_MODULES].map(file).concat(modulesIn(commands));
await Promise.all(modules.map((module) => import(module)));
const { loadFormData, loadUndici } = await import("./core/late-libraries.ts");
loadFormData();
loadUndici();
const { compilePictureProgram } = await import("./render/picture-process.ts");
await compilePictureProgram();
removeOutdated();

/** @param {URL} parent */
function modulesIn(parent) {
  return readdirSync(parent, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.[jt]s$/.test(name))
    .map((name) => new URL(name, parent).href);
}

/**
 * Uses rolldown, which also builds the sandbox's page. esbuild would be one more tool, and Node has no bundler.
 *
 * @param {string} main
 * @param {string} target
 */
async function makeBundle(main, target) {
  const { rolldown } = await import("rolldown");
  // Both copies of undici that discord.js installs are of one version. The bot's own copy is loaded late, so it is not in
  // the bundle.
  const undici = createRequire(createRequire(import.meta.url).resolve("discord.js")).resolve("undici");
  const commandFiles = readdirSync(join(ROOT, "commands"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join("commands", name.slice(0, -".ts".length)));
  const bundle = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries([main, ...commandFiles].map((path) => [path, join(ROOT, `${path}.ts`)])),
    platform: "node",
    resolve: { alias: { undici } },
    external: [...NATIVE, ...OPTIONAL],
    plugins: [keepPlaces],
    logLevel: "silent",
  });
  const unfinished = `${target}.${process.pid}`;
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
    renameSync(unfinished, target);
  } catch {
    // Another process was faster.
    rmSync(unfinished, { recursive: true });
  }
}
