// Makes starts faster: stores each program as a bundle of a few files with its libraries (compile.js), and Node's
// cache of compiled code. Both are stored inside the installation, because others may write to a temporary folder. It
// is JavaScript, as are the programs that import it first: for the first TypeScript file that is not in the cache, Node
// loads its TypeScript compiler and never unloads it.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { enableCompileCache, getCompileCacheDir, setSourceMapsSupport } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** @typedef {{ readonly entry: string, readonly folders: readonly string[] }} Program The path of its first module without the extension, and the folders of its sources. */
/**
 * @typedef {{
 *   readonly isBundle: boolean,
 *   readonly folder: URL,
 *   readonly commands: URL,
 *   readonly file: (path: string) => string,
 * }} Files `file` returns the URL of a module, whose path has no extension.
 */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDER = join(ROOT, "node_modules/.cache/signalbox");
/** The bundler is a development dependency; the image contains a bundle that was made beforehand. */
const BUNDLER = join(ROOT, "node_modules/rolldown");
/** Compiling takes four seconds, or more on a busy machine. */
const COMPILE_WITHIN_MS = 60_000;
/** How long old bundles are kept, because a bot that runs from one may still load a part of it. */
const KEEP_MS = 86_400_000;

/** @type {Program} */
export const BOT = { entry: "src/start", folders: ["src", "commands"] };

/**
 * Returns the files from which to load a program: its bundle, or its sources if no bundle can be made. At the first
 * start after a change, a separate process makes the bundle and compiles everything, and frees the memory for that when
 * it exits.
 *
 * @param {Program} program
 * @returns {Files}
 */
export function openProgram(program) {
  const isEmpty = cacheCompiledCode();
  const isCaching = getCompileCacheDir() !== undefined;
  // With `--eval`, the new process would run the same code again and start another one, endlessly.
  const isEval = process.execArgv.includes("--eval");
  if (!isEval && (isEmpty || (isCaching && existsSync(BUNDLER) && !existsSync(bundleOf(program))))) {
    const compile = fileURLToPath(new URL("../compile.js", import.meta.url));
    // The arguments must be the same, because V8 reads only code that was compiled under the same flags. If this fails,
    // the current process compiles.
    spawnSync(process.execPath, [...process.execArgv, compile, program.entry, ...program.folders], {
      stdio: "ignore",
      timeout: COMPILE_WITHIN_MS,
    });
  }
  // So that stack traces refer to lines of our sources.
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
 * The folder of a program's bundle. Its name is a hash of the sources, so every change gives a new folder. Hashing 550
 * files takes 10 ms.
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
 * Stores all code that is compiled from now on, for later starts. Measured: a start takes a third less time, and uses
 * 20 MB less memory because the TypeScript compiler is not loaded. If the folder cannot be written, nothing is stored.
 *
 * @returns {boolean} Whether the cache is enabled and still empty.
 */
export function cacheCompiledCode() {
  enableCompileCache(FOLDER);
  // The folder belongs to this version of Node and these flags.
  const directory = getCompileCacheDir();
  return directory !== undefined && readdirSync(directory).length === 0;
}

/** Removes the caches of other Node versions, about 13 MB each, and old bundles, 8 MB each. */
export function removeOutdated() {
  for (const name of readdirSync(FOLDER)) {
    const path = join(FOLDER, name);
    const isInUse = name.startsWith("bundle-")
      ? Date.now() - statSync(path).mtimeMs < KEEP_MS
      : // Node's own cache folders, e.g. v26.10.0-x64-310b2ce3-0.
        name.startsWith(`${process.version}-`);
    if (!isInUse) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}
