// A program for tests: opens a database as the bot does, reports the result, and runs until it is told to close the
// database or is killed.
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { openDatabase } from "../../src/database.ts";

const [url = ""] = process.argv.slice(2);
const log = createLog({ level: "silent", secrets: [] });
try {
  const database = await openDatabase({ url, clock: systemClock, log });
  process.send?.("opened");
  await new Promise((resolve) => process.once("message", resolve));
  await database.close();
} catch (error) {
  process.send?.(error instanceof Error ? error.message : String(error));
}
process.disconnect?.();
