// One bot for each SQLite file. Two would take each other's work twice, and each would believe that it is alone.
import { DatabaseSync } from "node:sqlite";
import { ConfigError } from "../core/errors.ts";
import { explainOpening, isBusy } from "./sqlite-errors.ts";

/** A bot that was told to stop mostly needs less: the next one may be started a moment too early. */
const WAIT_MS = 1_000;

/** A file that is locked for this bot until `close`, or until its process ends, however it ends. */
export interface FileLock {
  close(): void;
}

/**
 * Locks a file for this bot. Throws a ConfigError where another bot, of this process or any other, has it.
 *
 * The lock is that of an empty SQLite file beside it, on which a transaction is open: the system releases it with the
 * process, and every container sees it that has the same folder. The database itself stays open to others, such as a
 * backup. The empty file stays behind, since a bot that starts while it is removed could lock one that nobody else sees.
 */
export function lockFile(file: string): FileLock {
  const beside = `${file}-lock`;
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(beside, { timeout: WAIT_MS });
    // In memory: nothing is ever written, and no journal is left behind by a process that is killed.
    lock.exec("pragma journal_mode = memory; begin exclusive");
    return lock;
  } catch (error) {
    lock?.close();
    throw isBusy(error)
      ? new ConfigError(
          [
            `DATABASE_URL names a file that another bot uses: ${file}. Stop that bot, or set DATABASE_URL to another file.`,
          ],
          // It may only be about to stop.
          { mayPass: true },
        )
      : new ConfigError([explainOpening(beside, error)]);
  }
}
