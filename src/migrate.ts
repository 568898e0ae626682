// `npm run migrate`: brings the database up to date and leaves. The bot does the same when it starts; this is for a
// database whose tables belong to another role than the bot's.
import { systemClock } from "./core/clock.ts";
import { readDatabaseUrl } from "./core/config.ts";
import { createLog } from "./core/log.ts";
import { exitCodeOf, explainStart } from "./explain-start.ts";
import { openDatabase } from "./database.ts";

try {
  const log = createLog({ level: "info", secrets: [] });
  const database = await openDatabase({ url: readDatabaseUrl(), clock: systemClock, log });
  await database.close();
} catch (error) {
  process.stderr.write(`${explainStart(error)}\n`);
  process.exitCode = exitCodeOf(error);
}
