// Before every test file: what Node compiles is kept for the next worker, and the next run.
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

enableCompileCache(fileURLToPath(new URL("../../node_modules/.cache/tests", import.meta.url)));
