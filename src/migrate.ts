// `npm run migrate`: brings the database up to date and leaves. The bot does the same when it starts; this is for a
// database whose tables belong to another role than the bot's.
import { systemClock } from "./core/clock.ts";
import { readStorage } from "./core/config.ts";
import { createLog } from "./core/log.ts";
import { runProgram } from "./explain-start.ts";
import { openDatabase } from "./database.ts";

await runProgram(async () => {
  const log = createLog({ level: "info", secrets: [] });
  const { databaseUrl: url, backups } = readStorage();
  const database = await openDatabase({ url, backups, clock: systemClock, log });
  await database.close();
});
