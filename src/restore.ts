// `npm run restore -- FILE`: puts a backup in the place of the database, while no bot runs on it.
import { systemClock } from "./core/clock.ts";
import { readStorage } from "./core/config.ts";
import { ConfigError } from "./core/errors.ts";
import { createLog } from "./core/log.ts";
import { runProgram } from "./explain-start.ts";
import { restore } from "./restoring.ts";

await runProgram(async () => {
  const options = process.argv.slice(2);
  const trustsCount = options.includes("--trust-count");
  const [file, ...others] = options.filter((option) => option !== "--trust-count");
  if (file === undefined || others.length > 0) {
    throw new ConfigError(["Name the backup to restore: npm run restore -- FILE"]);
  }
  const { databaseUrl: url, ...storage } = readStorage();
  const log = createLog({ level: "warn", secrets: [] });
  const sentences = await restore(file, { url, ...storage, trustsCount, clock: systemClock, log });
  return sentences.join("\n");
});
