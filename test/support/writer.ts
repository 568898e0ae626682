// A program for tests: writes into a database in its working folder until that fails, and prints the error.
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { openDatabase } from "../../src/database.ts";

const log = createLog({ level: "silent", secrets: [] });
try {
  const database = await openDatabase({ url: "sqlite:written.db", clock: systemClock, log });
  for (let count = 0; ; count += 1) {
    await database.leftGuilds.add(`guild ${count} ${"x".repeat(10_000)}`, 1_000);
  }
} catch (error) {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  process.stdout.write(JSON.stringify({ ...(error as object), name, message }));
}
