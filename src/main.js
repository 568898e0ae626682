// The program's entry. JavaScript for the reason that compiled-code.js gives.
await import("./check-node.js");
// Older versions of Node cannot load it.
const { BOT, openProgram } = await import("./core/compiled-code.js");
const { file, commands } = openProgram(BOT);
const { start } = await import(file(BOT.entry));
await start(commands);
