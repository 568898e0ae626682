// `npm run restore -- FILE`: replaces the database's content with a backup, while no bot runs on it.
import { ConfigError } from "./core/errors.ts";
import { runOnDatabase } from "./program.ts";
import { restore } from "./restoring.ts";

const TRUST = "--trust-count";

const USAGE = `npm run restore -- FILE: puts a backup in the place of the database. Stop the bot first. With ${TRUST}, the
plans count only the calls that the backup knows of.`;

await runOnDatabase(USAGE, async (options, args) => {
  const [file, ...others] = args.filter((option) => option !== TRUST);
  if (file === undefined || others.length > 0) {
    throw new ConfigError(["Name the backup to restore: npm run restore -- FILE"]);
  }
  return restore(file, { ...options, trustsCount: args.includes(TRUST) });
});
