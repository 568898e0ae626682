// Converts between records, in which a missing value is `undefined`, and rows, in which it is null.
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
