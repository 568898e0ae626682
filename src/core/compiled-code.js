// What is made of the sources, kept with the installation for later starts, and not in a temporary folder that others may
// write: the programs as a few files with their libraries (make-bundle.js), and Node's own cache of compiled code.
// JavaScript, as the programs that begin with it: for the first TypeScript that is not in the cache, Node loads its
// compiler and never lets go of it.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { enableCompileCache, getCompileCacheDir, setSourceMapsSupport } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** @typedef {{ readonly entry: string, readonly folders: readonly string[] }} Program A module without its ending, and where its sources are. */
/**
 * @typedef {{
 *   readonly isBundle: boolean,
 *   readonly folder: URL,
 *   readonly commands: URL,
 *   readonly file: (path: string) => string,
 * }} Files `file` gives the URL of a module without its ending.
 */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDER = join(ROOT, "node_modules/.cache/signalbox");
/** It is installed with the tools of development; the image has its bundle made beforehand. */
const BUNDLER = join(ROOT, "node_modules/rolldown");
/** It takes four seconds, and more on a machine that has much else to do. */
const COMPILE_WITHIN_MS = 60_000;
/** A bot that runs from an older bundle may still load a part of it. */
const KEEP_MS = 86_400_000;

/** @type {Program} */
export const BOT = { entry: "src/start", folders: ["src", "commands"] };

/**
 * Finds what a program is to be loaded from: its bundle, or its sources where none can be made. The first start after a
 * change has another process make it and compile everything, which takes the memory for that with it when it ends.
 *
 * @param {Program} program
 * @returns {Files}
 */
export function openProgram(program) {
  const isEmpty = cacheCompiledCode();
  const isCaching = getCompileCacheDir() !== undefined;
  // With `--eval`, the new process would run the same code again, which would start another, for ever.
  const isEval = process.execArgv.includes("--eval");
  if (!isEval && (isEmpty || (isCaching && existsSync(BUNDLER) && !existsSync(bundleOf(program))))) {
    const compile = fileURLToPath(new URL("../compile.js", import.meta.url));
    // The same arguments: V8 reads only what was compiled under the same flags. Should it fail, this start compiles.
    spawnSync(process.execPath, [...process.execArgv, compile, program.entry, ...program.folders], {
      stdio: "ignore",
      timeout: COMPILE_WITHIN_MS,
    });
  }
  // Errors name the lines of our sources.
  setSourceMapsSupport(true, { nodeModules: true });
  return filesOf(program);
}

/**
 * @param {Program} program
 * @returns {Files}
 */
export function filesOf(program) {
  const bundle = bundleOf(program);
  const isBundle = existsSync(bundle);
  const folder = pathToFileURL(isBundle ? `${bundle}/` : ROOT);
  return {
    isBundle,
    folder,
    commands: new URL("commands/", folder),
    file: (path) => new URL(`${path}.${isBundle ? "js" : "ts"}`, folder).href,
  };
}

/**
 * The folder of a program's bundle, named after what it is made of: another one after any change. 10 ms for 550 files.
 *
 * @param {Program} program
 */
export function bundleOf({ entry, folders }) {
  const hash = createHash("sha256").update(`${ROOT}\0${entry}`);
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:[jt]s|json)$/.test(name))
      .map((name) => join(folder, name))
      .toSorted(),
  );
  for (const file of ["package.json", ...files]) {
    hash.update(`\0${file}\0`).update(readFileSync(join(ROOT, file)));
  }
  return join(FOLDER, `bundle-${hash.digest("hex").slice(0, 16)}`);
}

/**
 * Keeps what is compiled from now on, for later starts: measured a third less time to ready, and 20 MB less memory
 * because the compiler is not loaded. Where the folder cannot be written, nothing is kept.
 *
 * @returns {boolean} Whether nothing is kept yet, but will be.
 */
export function cacheCompiledCode() {
  enableCompileCache(FOLDER);
  // Of this version of Node, started with these flags.
  const directory = getCompileCacheDir();
  return directory !== undefined && readdirSync(directory).length === 0;
}

/** Removes what other versions of Node compiled, about 13 MB for each, and old bundles, 8 MB each. */
export function removeOutdated() {
  for (const name of readdirSync(FOLDER)) {
    const path = join(FOLDER, name);
    const isInUse = name.startsWith("bundle-")
      ? Date.now() - statSync(path).mtimeMs < KEEP_MS
      : // Node names the folders, e.g. v26.10.0-x64-310b2ce3-0.
        name.startsWith(`${process.version}-`);
    if (!isInUse) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}
