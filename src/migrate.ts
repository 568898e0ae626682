// `npm run migrate`: does as each start does, for a database whose tables belong to another role than the bot's.
import { runOnDatabase } from "./program.ts";
import { DEFAULT_FILE } from "./core/variables.ts";
import { openDatabase } from "./database.ts";

const USAGE =
  "npm run migrate: brings the database up to date and ends. The bot does the same when it starts.";

await runOnDatabase(
  USAGE,
  async (options) => {
    await (await openDatabase({ ...options, formerFile: DEFAULT_FILE })).close();
    return ["The database is up to date."];
  },
  "info",
);
