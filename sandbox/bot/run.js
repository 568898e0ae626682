// The program of the child process in which the sandbox runs the bot. It starts as src/main.js does.
import { openProgram } from "../../src/core/compiled-code.js";

const { file, commands } = openProgram({
  entry: "sandbox/bot/child",
  folders: ["src", "commands", "sandbox/bot", "sandbox/clock"],
});
const { listen } = await import(file("sandbox/bot/child"));
listen(commands);
