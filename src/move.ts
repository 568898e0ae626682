// `npm run move -- FROM TO`: copies everything from one database to another, e.g. from SQLite to PostgreSQL.
import { readStorage } from "./core/config.ts";
import { ConfigError } from "./core/errors.ts";
import { runOnDatabase } from "./program.ts";
import { move } from "./restoring.ts";

/** Returns the address unchanged. Throws a ConfigError if it is not a database's address. */
const check = (address: string): string => readStorage({ DATABASE_URL: address }).databaseUrl;

const USAGE = "npm run move -- FROM TO: copies everything from one database to another. Stop the bot first.";

await runOnDatabase(USAGE, async (options, [from, to, ...others]) => {
  if (from === undefined || to === undefined || others.length > 0) {
    throw new ConfigError([
      "Name two databases, as in DATABASE_URL: npm run move -- sqlite:data/signalbox.db postgres://user:password@host:5432/database",
    ]);
  }
  return move(check(to), { ...options, url: check(from) });
});
