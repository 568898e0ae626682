// Examines a database for `npm run doctor`, even while a bot uses it. Nothing is created or changed.
import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { sql } from "kysely";
import { ConfigError } from "../core/errors.ts";
import { explainFolder } from "./backups.ts";
import { SCHEMA_MISSING, readVersion } from "./migrate.ts";
import { MIGRATIONS } from "./migrations.ts";
import { type EngineOptions, fileOf, isEmbedded, openEngine } from "./open-engine.ts";
import type { Engine } from "./schema.ts";
import { explainOpening } from "./sqlite-errors.ts";

export interface DatabaseState {
  /** e.g. `SQLite`, `PostgreSQL 18.4`. */
  readonly product: string;
  /** The number of migrations applied to the database; 0 if it is empty. */
  readonly version: number;
  /** The number of migrations that this program has. */
  readonly newest: number;
  /** Whether a bot uses the file now; always false for a server. */
  readonly isInUse: boolean;
  /** The privileges that the bot's user lacks on a server, e.g. `CREATE`. */
  readonly missingRights: readonly string[];
  /** e.g. `TLSv1.3`; `undefined` for an unencrypted connection and for a file. */
  readonly encryption: string | undefined;
  /** Free space on the disk of a database file; `undefined` for a server. */
  readonly freeBytes: number | undefined;
}

type ExamineOptions = Pick<EngineOptions, "url" | "clock" | "log">;

/** Throws the errors of opening a database. */
export async function examineDatabase(options: ExamineOptions): Promise<DatabaseState> {
  const file = isEmbedded(options.url) ? fileOf(options.url) : undefined;
  const known = { newest: MIGRATIONS.length, missingRights: [], encryption: undefined };
  if (file !== undefined && !existsSync(file)) {
    const freeBytes = freeBytesAt(nearestFolder(dirname(file)), file);
    return { ...known, product: "SQLite", version: 0, isInUse: false, freeBytes };
  }
  const { engine, isInUse } = await openBeside(options);
  try {
    const version = await readVersion(engine);
    return file === undefined
      ? { ...known, version, isInUse, freeBytes: undefined, ...(await examineServer(engine, version)) }
      : { ...known, product: "SQLite", version, isInUse, freeBytes: freeBytesAt(dirname(file), file) };
  } finally {
    await engine.queries.destroy();
  }
}

async function openBeside(options: ExamineOptions): Promise<{ engine: Engine; isInUse: boolean }> {
  try {
    return { engine: await openEngine(options), isInUse: false };
  } catch (error) {
    if (error instanceof ConfigError && error.isTransient && isEmbedded(options.url)) {
      return { engine: await openEngine({ ...options, exclusive: false }), isInUse: true };
    }
    throw error;
  }
}

/** Throws a ConfigError if backups could not be written. */
export function examineBackupFolder(folder: string): void {
  try {
    // With the dot, this also fails if there is a file instead of a folder.
    accessSync(`${nearestFolder(resolve(folder))}/.`, constants.W_OK);
  } catch (error) {
    throw explainFolder(folder, error);
  }
}

/** Returns the folder, or if it is missing the nearest existing one above it. */
function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(dirname(folder));
}

function freeBytesAt(folder: string, file: string): number {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch (error) {
    throw explainOpening(file, error);
  }
}

/** https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-ACCESS */
async function examineServer({ queries }: Engine, version: number) {
  const { rows } = await sql<{
    readonly product: string;
    readonly schema: string | null;
    readonly create: boolean | null;
    readonly tls: string | null;
  }>`select current_setting('server_version') as product, current_schema() as schema,
    has_schema_privilege(current_schema(), 'create') as create,
    (select version from pg_stat_ssl where pid = pg_backend_pid() and ssl) as tls`.execute(queries);
  const { rows: refused } = await sql<{ readonly right: string }>`select "right" from
    unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) as "right"
    where ${version > 0} and not has_table_privilege(to_regclass('boards'), "right")`.execute(queries);
  const [server] = rows;
  if (server?.schema === null) {
    throw new ConfigError([SCHEMA_MISSING]);
  }
  const mayCreate = version === MIGRATIONS.length || server?.create === true;
  return {
    product: `PostgreSQL ${server?.product.split(" ", 1)[0]}`,
    missingRights: [...refused.map(({ right }) => right), ...(mayCreate ? [] : ["CREATE"])],
    encryption: server?.tls ?? undefined,
  };
}
