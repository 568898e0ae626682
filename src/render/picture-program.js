// The picture process's entry: a program of its own, which the bot starts when the first picture comes. As in main.js,
// what Node compiled is kept before anything heavy is loaded.
import { flushCompileCache } from "node:module";
import { constants, setPriority } from "node:os";
import { cacheCompiledCode } from "../core/compiled-code.js";

// Where there are too few cores, the bot comes first. Threads that are started later inherit it.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
// Ctrl-C in a terminal reaches every process; this one ends with the bot, which may want to finish its answers.
process.on("SIGINT", () => undefined);
cacheCompiledCode();
const { serveRequests } = await import("./serve-requests.ts");
// Now, since this process does not end by itself but is ended.
flushCompileCache();
await serveRequests(process.stdin, process.stdout);
