// `npm run backup [-- FOLDER or FILE]`: writes a backup and checks it, whether or not a bot runs on the database.
import { statSync } from "node:fs";
import { systemClock } from "./core/clock.ts";
import { readStorage } from "./core/config.ts";
import { ConfigError } from "./core/errors.ts";
import { createLog } from "./core/log.ts";
import { runProgram } from "./explain-start.ts";
import { countRows, nameBackup, writeBackup } from "./storage/backups.ts";

await runProgram(async () => {
  const { databaseUrl: url, backups } = readStorage();
  const [target = backups.folder] = process.argv.slice(2);
  const isFile =
    target.endsWith(".db") && statSync(target, { throwIfNoEntry: false })?.isDirectory() !== true;
  if (isFile && statSync(target, { throwIfNoEntry: false }) !== undefined) {
    throw new ConfigError([`${target} is there already. Name another file, or remove that one.`]);
  }
  const file = isFile ? target : nameBackup(target, systemClock.now());
  const log = createLog({ level: "warn", secrets: [] });
  const backup = await writeBackup({ url, clock: systemClock, log }, file);
  return `Backup written and checked: ${file} (${countRows(backup)}).`;
});
