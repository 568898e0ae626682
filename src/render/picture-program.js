// The entry of the picture process, which the bot starts for the first picture. As in main.js, the cache of compiled
// code is turned on before anything heavy is loaded.
import { flushCompileCache } from "node:module";
import { constants, getPriority, setPriority } from "node:os";
import { cacheCompiledCode } from "../core/compiled-code.js";

// The bot has priority if there are too few cores. Threads that start later inherit this. If the bot itself was started
// with a lower priority, e.g. by `nice -n 19`, the process may not raise its own.
if (getPriority() < constants.priority.PRIORITY_BELOW_NORMAL) {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
// Ctrl-C in a terminal reaches every process. This one keeps running, because the bot may need it for its last answers.
process.on("SIGINT", () => undefined);
cacheCompiledCode();
const { serveRequests } = await import("./serve-requests.ts");
// The cache is written now, because this process is killed and never exits normally.
flushCompileCache();
await serveRequests(process.stdin, process.stdout);
