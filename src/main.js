// The bot's entry. It is JavaScript, for the reason in core/compiled-code.js.
await import("./check-node.js");
// This is imported later because old versions of Node cannot load it.
const { BOT, openProgram } = await import("./core/compiled-code.js");
const { file, commands } = openProgram(BOT);
const { start } = await import(file(BOT.entry));
await start(commands);
