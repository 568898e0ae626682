// `npm run move -- FROM TO`: copies everything from one database to another, e.g. from SQLite to PostgreSQL.
import { systemClock } from "./core/clock.ts";
import { readStorage } from "./core/config.ts";
import { ConfigError } from "./core/errors.ts";
import { createLog } from "./core/log.ts";
import { runProgram } from "./explain-start.ts";
import { move } from "./restoring.ts";

await runProgram(async () => {
  const [from, to, ...others] = process.argv.slice(2);
  if (from === undefined || to === undefined || others.length > 0) {
    throw new ConfigError([
      "Name two databases, as in DATABASE_URL: npm run move -- sqlite:data/signalbox.db postgres://user:password@host:5432/database",
    ]);
  }
  const [source, target] = [from, to].map((address) => readStorage({ DATABASE_URL: address }).databaseUrl);
  const { backups } = readStorage();
  const log = createLog({ level: "warn", secrets: [] });
  const sentences = await move(target ?? to, { url: source ?? from, backups, clock: systemClock, log });
  return sentences.join("\n");
});
