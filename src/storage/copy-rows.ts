// All rows of a database, copied into another one that has the same tables, on whichever engines the two are.
import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import type { AnyRow, Engine, Queries } from "./schema.ts";

/** What tables contain, by name: how many rows, and a checksum over them that does not depend on their order. */
export type TableSums = Readonly<Record<string, { readonly rows: number; readonly checksum: string }>>;

/** Members are answered in between. A row with the picture of a style has some 50 kB. */
const ROWS_AT_ONCE = 50;

/** In a backup's file: what it contains, and when it was made. No table of the bot's. */
export const BACKUP_TABLE = "signalbox_backup";

/** The tables of a SQLite database, whatever its version. */
export async function listTables({ queries }: Pick<Engine, "queries">): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name <> ${BACKUP_TABLE}
    order by name`.execute(queries);
  return rows.map(({ name }) => name);
}

/**
 * Replaces the rows of these tables by those that `from` has at one moment, all or nothing, and gives what they contain.
 * Reads them again before that counts, and throws where they differ. Others can use `from` meanwhile, and this process
 * answers in between; `progress` is called now and then. `guard` is called before anything is changed and again before
 * that counts; where it throws, nothing changes.
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
        await guard(target);
        const written = await sumTables(tables, (table) => inParts(to.rows(target, table), progress));
        if (!isDeepStrictEqual(written, read)) {
          throw new Error(`copied rows differ: ${JSON.stringify({ read, written })}`);
        }
        return read;
      }),
    ),
  );
}

/** What these tables contain at one moment. */
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
  // On SQLite, every transaction reads like that, whatever its settings.
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
        // A sum, since equal rows, of which there are some, would cancel each other out otherwise.
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
