// Brings a database up to this program's version. Several processes may start at once: one does it, the others wait.
import { sql } from "kysely";
import type { Clock } from "../core/clock.ts";
import { ConfigError } from "../core/errors.ts";
import { MIGRATIONS, type Migration } from "./migrations.ts";
import type { Engine, Queries } from "./schema.ts";

/** Runs what is missing, all or nothing. Throws a ConfigError for a database that a newer program has used. */
export async function migrate(
  { queries, lock }: Engine,
  clock: Clock,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    await lock(transaction, "migrate");
    const version = await readVersion(transaction);
    if (version > migrations.length) {
      throw new ConfigError([
        `DATABASE_URL names a database that a newer Signalbox has used: it has version ${version}, this program knows ${migrations.length}. Start the newer program, or name another database.`,
      ]);
    }
    for (const [index, migration] of migrations.entries()) {
      if (index >= version) {
        await migration(transaction.schema, transaction);
        await sql`insert into migrations (version, at) values (${index + 1}, ${clock.now()})`.execute(
          transaction,
        );
      }
    }
  });
}

async function readVersion(transaction: Queries): Promise<number> {
  await transaction.schema
    .createTable("migrations")
    .ifNotExists()
    .addColumn("version", "integer", (column) => column.primaryKey())
    .addColumn("at", "bigint", (column) => column.notNull())
    .execute();
  const { rows } = await sql<{
    version: number | null;
  }>`select max(version) as version from migrations`.execute(transaction);
  return rows[0]?.version ?? 0;
}
