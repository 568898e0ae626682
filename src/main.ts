// The program's entry. Node compiles the sources at each start: what it compiled is kept for the next one before
// anything heavy is loaded.
import { keepCompiledCode } from "./core/compiled-code.ts";

keepCompiledCode();
await import("./start.ts");
