// The program of the child process in which the sandbox runs the bot. It starts as src/main.js does.
import { keepCompiledCode } from "../../src/core/compiled-code.js";

keepCompiledCode();
await import("./child.ts");
