// Translates SQLite's result codes for the bot: https://www.sqlite.org/rescode.html
import { ConfigError, type DiskProblem, ServiceError, codeOf } from "../core/errors.ts";

const SQLITE_BUSY = 5;
const SQLITE_CANTOPEN = 14;
const SQLITE_CONSTRAINT_UNIQUE = 2_067;
export const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
/** Formally an I/O error. It occurs if there is no space for the index of the write-ahead log, i.e. on a full disk. */
const SQLITE_IOERR_SHMSIZE = 4_874;

/** By primary code; 8, 10 and 13 are READONLY, IOERR and FULL. */
const DISK_PROBLEMS: ReadonlyMap<unknown, DiskProblem> = new Map([
  [8, "read-only"],
  [10, "i/o error"],
  [SQLITE_CORRUPT, "damaged"],
  [13, "disk full"],
  [SQLITE_NOTADB, "damaged"],
]);
/** PERM, READONLY, CANTOPEN, and the codes of the operating system. */
const NO_ACCESS: ReadonlySet<unknown> = new Set([3, 8, SQLITE_CANTOPEN, "EACCES", "EPERM", "EROFS"]);

/** Whether another connection has locked the file or a part of it. */
export function isBusy(error: unknown): boolean {
  return primaryCodeOf(error) === SQLITE_BUSY;
}

export function isUnopened(error: unknown): boolean {
  return primaryCodeOf(error) === SQLITE_CANTOPEN;
}

export function isUniqueViolation(error: unknown): error is Error {
  return errcodeOf(error) === SQLITE_CONSTRAINT_UNIQUE;
}

/** A failure that the disk or another process causes becomes a ServiceError, because it is no bug. */
export function explainStatement(error: unknown): Error {
  const reason = diskProblemOf(error);
  if (reason !== undefined) {
    return new ServiceError("storage", "unavailable", reason, { reason, cause: error });
  }
  if (isBusy(error)) {
    return new ServiceError("storage", "unavailable", "another process holds the file", { cause: error });
  }
  return error instanceof Error ? error : new Error(String(error));
}

/** Explains to the person who starts the bot why a file could not be opened. */
export function explainOpening(file: string, error: unknown, readOnly = false): ConfigError {
  const code = primaryCodeOf(error);
  if (NO_ACCESS.has(code) && readOnly) {
    return new ConfigError([`There is no access to ${file}. Let the user that runs this read it.`]);
  }
  if (NO_ACCESS.has(code)) {
    return new ConfigError([
      `DATABASE_URL names a file that cannot be written: ${file}. Let the user that runs the bot write to it and its folder.`,
    ]);
  }
  const problem = diskProblemOf(error);
  if (problem === "disk full") {
    const sentence = `DATABASE_URL names a file on a full disk: ${file}. Free some space there and start the bot again.`;
    return new ConfigError([sentence], { isTransient: true });
  }
  if (problem === "damaged") {
    const what = code === SQLITE_NOTADB ? "file that is damaged or is not a database" : "damaged database";
    const advice = "Restore a backup: `npm run restore -- FILE` (docs/backup.md).";
    return new ConfigError([`DATABASE_URL names a ${what}: ${file}. ${advice}`], { isDamaged: true });
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new ConfigError([
    `DATABASE_URL names a file that cannot be opened as a database: ${file} (${reason}).`,
  ]);
}

function diskProblemOf(error: unknown): DiskProblem | undefined {
  const code = primaryCodeOf(error);
  const isFull = code === "ENOSPC" || errcodeOf(error) === SQLITE_IOERR_SHMSIZE;
  return isFull ? "disk full" : DISK_PROBLEMS.get(code);
}

/** SQLite's primary code, which is the last byte of an extended one, or the system's, e.g. `EACCES`. */
function primaryCodeOf(error: unknown): unknown {
  const errcode = errcodeOf(error);
  return errcode === undefined ? codeOf(error) : errcode & 0xff;
}

function errcodeOf(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode
    : undefined;
}
