// `npm run backup [-- FOLDER or FILE]`: writes a backup and checks it, whether or not a bot runs on the database.
import { existsSync, statSync } from "node:fs";
import { ConfigError } from "./core/errors.ts";
import { runOnDatabase } from "./program.ts";
import { countRows, nameBackup, writeBackup } from "./storage/backups.ts";
import { nameDatabase } from "./storage/open-engine.ts";

const USAGE = `npm run backup [-- FOLDER or FILE.db]: writes a backup and checks it, even while the bot runs. Without a name,
it is written to BACKUP_FOLDER, or to the folder backups beside the database.`;

await runOnDatabase(USAGE, async (options, [target = options.backups.folder]) => {
  const isThere = existsSync(target);
  const isFile = target.endsWith(".db") && !(isThere && statSync(target).isDirectory());
  if (isFile && isThere) {
    throw new ConfigError([`${target} already exists. Name another file, or remove that one.`]);
  }
  const file = isFile ? target : nameBackup(target, options.clock.now());
  const backup = await writeBackup(options, file);
  return [`Backup of ${nameDatabase(options.url)} written and checked: ${file} (${countRows(backup)}).`];
});
