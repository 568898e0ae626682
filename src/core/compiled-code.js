// Node's own cache of compiled code, kept with the installation and not in a temporary folder that others may write.
// JavaScript, as the programs that begin with it: for the first TypeScript that is not in the cache, Node loads its
// compiler and never lets go of it.
import { readdirSync, rmSync } from "node:fs";
import { enableCompileCache, getCompileCacheDir } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../node_modules/.cache/signalbox", import.meta.url));

/**
 * Keeps what is compiled from now on, for later starts: measured a third less time to ready, and 20 MB less memory
 * because the compiler is not loaded. Where the folder cannot be written, nothing is kept.
 *
 * @returns {boolean} Whether nothing is kept yet, but will be.
 */
export function keepCompiledCode() {
  enableCompileCache(FOLDER);
  // Of this version of Node, started with these flags.
  const directory = getCompileCacheDir();
  return directory !== undefined && readdirSync(directory).length === 0;
}

/** Removes what other versions of Node compiled: about 13 MB for each. */
export function removeOtherVersions() {
  for (const name of readdirSync(FOLDER)) {
    // Node names the folders, e.g. v26.10.0-x64-310b2ce3-0.
    if (!name.startsWith(`${process.version}-`)) {
      rmSync(join(FOLDER, name), { recursive: true });
    }
  }
}
