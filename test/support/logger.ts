// A program for tests: writes two log lines to its standard output, waits for a message, then makes its standard output
// the file that its argument names and writes two more.
import { closeSync, openSync } from "node:fs";
import { createLog } from "../../src/core/log.ts";

const [file = ""] = process.argv.slice(2);
const log = createLog({ level: "info", secrets: [] });
log.info({}, "first");
log.info({}, "second");
process.send?.("written");
process.once("message", () => {
  // The next opened file gets the lowest free descriptor, which is that of the standard output.
  closeSync(1);
  openSync(file, "a");
  log.info({}, "third");
  log.info({}, "fourth");
  process.disconnect?.();
});
