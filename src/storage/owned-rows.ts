// Which rows belong to a guild or to a person, so that all of them can be shown and erased. A test reads the schema
// and fails for a column with such an id that is missing here.
import { sql } from "kysely";
import type { Queries, Schema } from "./schema.ts";

/** A table and the column that says whose a row is. */
export interface Owned {
  readonly table: keyof Schema;
  readonly column: string;
}

/** Tables with rows of a guild. */
export const GUILD_ROWS: readonly Owned[] = [{ table: "leftGuilds", column: "guildId" }];

/** Tables with rows of a person. */
export const USER_ROWS: readonly Owned[] = [];

/** Rows as they are kept, by table. Tables without any are left out. */
export type KeptRows = Readonly<Record<string, readonly unknown[]>>;

/** Removes all rows of one owner at once, or none. */
export async function eraseRows(queries: Queries, places: readonly Owned[], id: string): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    for (const { table, column } of places) {
      await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(transaction);
    }
  });
}

/** Gives all rows of one owner. */
export async function readRows(queries: Queries, places: readonly Owned[], id: string): Promise<KeptRows> {
  const found: Record<string, readonly unknown[]> = {};
  for (const { table, column } of places) {
    const { rows } = await sql`select * from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(
      queries,
    );
    if (rows.length > 0) {
      found[table] = [...(found[table] ?? []), ...rows];
    }
  }
  return found;
}
