// Copies all rows of a database into another one that has the same tables, on either engine.
import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import type { AnyRow, Engine, Queries } from "./schema.ts";

/** The contents of tables by name: the number of rows, and a checksum of them that does not depend on their order. */
export type TableSums = Readonly<Record<string, { readonly rows: number; readonly checksum: string }>>;

/** Between batches, the bot can answer members. A row with the picture of a style has about 50 kB. */
const ROWS_AT_ONCE = 50;

/** A table of a backup file only: its contents and when it was made. */
export const BACKUP_TABLE = "signalbox_backup";

/** The tables of a SQLite database of any version. */
export async function listTables({ queries }: Pick<Engine, "queries">): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name <> ${BACKUP_TABLE}
    order by name`.execute(queries);
  return rows.map(({ name }) => name);
}

/**
 * Replaces the rows of these tables by a snapshot of those in `from`, all or nothing, and returns their sums. Reads the
 * copy again before the commit, and throws if it differs. Others can use `from` meanwhile, and this process answers in
 * between; `progress` is called now and then. `guard` is called before the first change and again before the commit; if
 * it throws, nothing changes.
 */
export function replaceRows(
  {
    from,
    to,
    tables,
    guard = async () => undefined,
  }: {
    readonly from: Engine;
    readonly to: Engine;
    readonly tables: readonly string[];
    readonly guard?: (target: Queries) => Promise<void>;
  },
  progress: () => void = () => undefined,
): Promise<TableSums> {
  return readAtOneMoment(from, (source) =>
    to.unlimited((queries) =>
      queries.transaction().execute(async (target) => {
        await to.lock(target, "migrate");
        await guard(target);
        const read = await sumTables(tables, async function* copied(table) {
          await sql`delete from ${sql.table(table)}`.execute(target);
          for await (const rows of inParts(from.rows(source, table), progress)) {
            await insert(target, table, rows);
            yield rows;
          }
        });
        const written = await sumTables(tables, (table) => inParts(to.rows(target, table), progress));
        if (!isDeepStrictEqual(written, read)) {
          throw new Error(`copied rows differ: ${JSON.stringify({ read, written })}`);
        }
        await guard(target);
        return read;
      }),
    ),
  );
}

/** Reads the sums of these tables from one snapshot. */
export function readSums(
  engine: Engine,
  tables: readonly string[],
  progress?: () => void,
): Promise<TableSums> {
  return readAtOneMoment(engine, (transaction) =>
    sumTables(tables, (table) => inParts(engine.rows(transaction, table), progress)),
  );
}

function readAtOneMoment<T>(engine: Engine, read: (transaction: Queries) => Promise<T>): Promise<T> {
  // On SQLite, every transaction reads from one snapshot, whatever its settings.
  return engine.unlimited((queries) =>
    queries.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(read),
  );
}

async function sumTables(
  tables: readonly string[],
  rowsOf: (table: string) => AsyncIterable<readonly AnyRow[]>,
): Promise<TableSums> {
  const sums: Record<string, TableSums[string]> = {};
  for (const table of tables) {
    let count = 0;
    let sum = 0n;
    for await (const rows of rowsOf(table)) {
      count += rows.length;
      for (const row of rows) {
        // A sum, because with XOR equal rows, of which there are some, would cancel each other out.
        sum = BigInt.asUintN(128, sum + digest(row));
      }
    }
    sums[table] = { rows: count, checksum: sum.toString(16) };
  }
  return sums;
}

function digest(row: AnyRow): bigint {
  const columns = Object.keys(row).toSorted();
  const text = JSON.stringify(columns.map((column) => [column, row[column]]));
  return BigInt(`0x${createHash("sha256").update(text).digest("hex").slice(0, 32)}`);
}

async function* inParts(
  rows: AsyncIterable<AnyRow>,
  progress: () => void = () => undefined,
): AsyncIterable<readonly AnyRow[]> {
  let part: AnyRow[] = [];
  for await (const row of rows) {
    part.push(row);
    if (part.length === ROWS_AT_ONCE) {
      yield part;
      part = [];
      progress();
      await setImmediate();
    }
  }
  if (part.length > 0) {
    yield part;
  }
}

async function insert(target: Queries, table: string, rows: readonly AnyRow[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(target);
}
