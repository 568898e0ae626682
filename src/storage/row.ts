// Converts between records, in which a missing value is `undefined`, and rows, in which it is null. At the end are
// the statements that several tables share.
import type { AnyColumn, InsertObject, OnConflictBuilder, SelectQueryBuilder } from "kysely";
import type { Queries, Schema } from "./schema.ts";

export type Row<T> = {
  // `Required` distinguishes an optional field from one that may be `undefined`.
  readonly [Key in keyof T]: undefined extends Required<T>[Key] ? Exclude<T[Key], undefined> | null : T[Key];
};

/** A record to insert: fields that may be `undefined` may also be absent. */
export type NewRecord<T> = {
  readonly [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & { readonly [Key in keyof T as undefined extends T[Key] ? Key : never]?: T[Key] };

/** Where a page of rows, newest first, continues: after this row or, without an id, after all rows of this time. */
export interface PageCursor {
  readonly atMs: number;
  readonly id?: string | undefined;
}

/** Converts a record for writing. An absent field stays absent, so an update does not change its column. */
export function toRow<T extends object>(record: T): Row<T> {
  // Only `undefined` becomes null, as the type says.
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, value ?? null])) as Row<T>;
}

export async function readRows<T extends object>(query: {
  execute(): Promise<readonly Row<T>[]>;
}): Promise<readonly T[]> {
  return (await query.execute()).map((row) => fromRow<T>(row));
}

export function fromRow<T extends object>(row: Row<T>): T {
  const record: Record<string, unknown> = { ...row };
  // Thousands of boards are read at once. `Object.fromEntries` took almost four times as long.
  for (const name of Object.keys(record)) {
    record[name] ??= undefined;
  }
  // Only null becomes `undefined`, and no record contains a null of its own.
  return record as T;
}

/** Inserts a row, or updates the row that has the same values in the columns of `key`. */
export async function put<T extends keyof Schema>(
  queries: Queries,
  table: T,
  row: InsertObject<Schema, T> & Parameters<OnConflictBuilder<Schema, T>["doUpdateSet"]>[0],
  ...key: readonly AnyColumn<Schema, T>[]
): Promise<void> {
  await queries
    .insertInto(table)
    .values(row)
    .onConflict((conflict) => conflict.columns(key).doUpdateSet(row))
    .execute();
}

/** Inserts a row unless there is one that has the same values in the columns of `key`; returns whether it did. */
export async function putIfAbsent<T extends keyof Schema>(
  queries: Queries,
  table: T,
  row: InsertObject<Schema, T>,
  ...key: readonly AnyColumn<Schema, T>[]
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await queries
    .insertInto(table)
    .values(row)
    .onConflict((conflict) => conflict.columns(key).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

export async function countRows<T extends keyof Schema>(
  rows: SelectQueryBuilder<Schema, T, object>,
): Promise<number> {
  const { count } = await rows
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}
