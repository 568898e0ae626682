// Runs before every test file: Node's compiled code is cached for the next worker, its child processes and the next
// run.
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../node_modules/.cache/tests", import.meta.url));

enableCompileCache(FOLDER);
process.env["NODE_COMPILE_CACHE"] = FOLDER;
