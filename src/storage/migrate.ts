// Migrates a database to this program's version. If several processes start at the same time, one migrates and the
// others wait.
import { sql } from "kysely";
import type { Clock } from "../core/clock.ts";
import { ConfigError, codeOf } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { MIGRATIONS, type Migration } from "./migrations.ts";
import type { Engine, Queries } from "./schema.ts";

/** How often a process logs that it is waiting for another one's migrations. */
const WAITING_EVERY_MS = 10_000;

/**
 * Runs the missing migrations, all or nothing, without the time limits of ordinary statements. A database that is up to
 * date is only read. Throws a ConfigError if a newer program has used the database. `before` is called right before a
 * database that is not empty is changed; if it throws, nothing changes.
 */
export async function migrate(
  engine: Engine,
  {
    clock,
    log,
    before,
  }: {
    readonly clock: Clock;
    readonly log: Log;
    readonly before?: (() => Promise<void>) | undefined;
  },
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  if ((await readVersion(engine)) === migrations.length) {
    return;
  }
  const stopLogging = logWhileWaiting(clock, log);
  try {
    await engine.unlimited((queries) =>
      queries.transaction().execute(async (transaction) => {
        const nowMs = await engine.lock(transaction, "migrate");
        await createMigrationsTable(transaction);
        const version = await readLast(transaction);
        if (version > migrations.length) {
          throw new ConfigError([
            `DATABASE_URL names a database that a newer Signalbox has used: it has version ${version}, this program knows ${migrations.length}. Start the newer program, or name another database.`,
          ]);
        }
        if (version > 0 && version < migrations.length) {
          await before?.();
        }
        for (const [index, migration] of migrations.entries()) {
          if (index >= version) {
            await migration(transaction.schema, transaction);
            await sql`insert into migrations (version, at) values (${index + 1}, ${nowMs})`.execute(
              transaction,
            );
            log.info({ version: index + 1 }, "database migrated");
          }
        }
      }),
    );
  } catch (error) {
    if (codeOf(error) === NO_SCHEMA_SELECTED) {
      throw new ConfigError([SCHEMA_MISSING]);
    }
    throw isForbidden(error) ? new ConfigError([FORBIDDEN]) : error;
  } finally {
    stopLogging();
  }
}

const FORBIDDEN =
  "DATABASE_URL names a database whose tables are not up to date, and its user may not change them. Run `npm run migrate` once with the address of a user who may.";

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: invalid_schema_name */
const NO_SCHEMA_SELECTED = "3F000";

export const SCHEMA_MISSING =
  "DATABASE_URL names a schema that does not exist, or that its user may not use. Create it, e.g. with `create schema signalbox`, and grant that user USAGE on it.";

const UNREADABLE =
  "DATABASE_URL names a user who may not read the bot's tables. Grant SELECT, INSERT, UPDATE and DELETE on all of them.";

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: insufficient_privilege */
function isForbidden(error: unknown): boolean {
  return codeOf(error) === "42501";
}

function logWhileWaiting(clock: Clock, log: Log): () => void {
  const logWait = (): void => {
    log.info({}, "start waits for the database's migration");
    cancel = clock.after(WAITING_EVERY_MS, logWait);
  };
  let cancel = clock.after(WAITING_EVERY_MS, logWait);
  return () => cancel();
}

/** Whether a newer program has migrated the database to a version that this one does not know. */
export async function isNewerThanKnown({ queries }: Pick<Engine, "queries">): Promise<boolean> {
  return (await readLast(queries)) > MIGRATIONS.length;
}

/**
 * The number of migrations applied to the database; 0 if it is empty. Throws a ConfigError if its user may not read it.
 */
export async function readVersion({ queries, hasTable }: Engine): Promise<number> {
  try {
    return (await hasTable("migrations")) ? await readLast(queries) : 0;
  } catch (error) {
    throw isForbidden(error) ? new ConfigError([UNREADABLE]) : error;
  }
}

/** When a database was created. This time identifies the database; its backups keep it. */
export async function readCreation({ queries }: Pick<Engine, "queries">): Promise<number | undefined> {
  const { rows } = await sql<{ at: number }>`select at from migrations where version = 1`.execute(queries);
  return rows[0]?.at;
}

async function createMigrationsTable(transaction: Queries): Promise<void> {
  await transaction.schema
    .createTable("migrations")
    .ifNotExists()
    .addColumn("version", "integer", (column) => column.primaryKey())
    .addColumn("at", "bigint", (column) => column.notNull())
    .execute();
}

async function readLast(queries: Queries): Promise<number> {
  const { rows } = await sql<{
    version: number | null;
  }>`select max(version) as version from migrations`.execute(queries);
  return rows[0]?.version ?? 0;
}
