// A program of its own for tests: writes two log lines to its standard output, and two more after a message, when the
// standard output is the file that its argument names.
import { closeSync, openSync } from "node:fs";
import { createLog } from "../../src/core/log.ts";

const [file = ""] = process.argv.slice(2);
const log = createLog({ level: "info", secrets: [] });
log.info({}, "first");
log.info({}, "second");
process.send?.("written");
process.once("message", () => {
  // The lowest free number is the next file's: that of the standard output.
  closeSync(1);
  openSync(file, "a");
  log.info({}, "third");
  log.info({}, "fourth");
  process.disconnect?.();
});
