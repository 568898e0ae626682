// The program's entry. Node compiles the sources as they are loaded: what it compiled is kept for later starts. The
// first one leaves that to a process of its own, which takes a second and the compiler's memory with it when it ends.
// JavaScript for the reason that compiled-code.js gives.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** It takes two seconds, and a few more on a machine that has much else to do. */
const COMPILE_WITHIN_MS = 60_000;

await import("./check-node.js");
// Older versions of Node cannot load it.
const { keepCompiledCode } = await import("./core/compiled-code.js");
if (keepCompiledCode()) {
  const program = fileURLToPath(new URL("compile.js", import.meta.url));
  // The same arguments: V8 reads only what was compiled under the same flags. Should it fail, this start compiles.
  spawnSync(process.execPath, [...process.execArgv, program], {
    stdio: "ignore",
    timeout: COMPILE_WITHIN_MS,
  });
}
const { start } = await import("./start.ts");
await start();
