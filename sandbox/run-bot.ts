// The program of the child process in which the sandbox runs the bot. It starts as src/main.ts does.
import { keepCompiledCode } from "../src/core/compiled-code.ts";

keepCompiledCode();
await import("./bot-child.ts");
