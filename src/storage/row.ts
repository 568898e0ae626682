// Between records, where a thing that is not there is undefined, and rows, where it is null.
/** A record as its table has it. */
export type Row<T> = {
  // An optional part is not one that may be null: `Required` tells the two apart.
  readonly [Key in keyof T]: undefined extends Required<T>[Key] ? Exclude<T[Key], undefined> | null : T[Key];
};

/** A record to insert: fields that may be `undefined` may also be absent. */
export type NewRecord<T> = {
  readonly [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & { readonly [Key in keyof T as undefined extends T[Key] ? Key : never]?: T[Key] };

/**
 * Where a page of rows, the newest first, goes on: after the row of this moment with this id, or after all rows of this
 * moment where no id is given.
 */
export interface PageCursor {
  readonly atMs: number;
  readonly id?: string | undefined;
}

/** For writing. A part that is absent stays absent: an update leaves that column as it was. */
export function toRow<T extends object>(record: T): Row<T> {
  // Only undefined becomes null, which is what the type says.
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, value ?? null])) as Row<T>;
}

/** Runs a query and reads its rows. */
export async function readRows<T extends object>(query: {
  execute(): Promise<readonly Row<T>[]>;
}): Promise<readonly T[]> {
  return (await query.execute()).map((row) => fromRow<T>(row));
}

/** For reading. */
export function fromRow<T extends object>(row: Row<T>): T {
  const record: Record<string, unknown> = { ...row };
  // Thousands of boards are read at once. Through `Object.fromEntries` it took almost four times as long.
  for (const name of Object.keys(record)) {
    record[name] ??= undefined;
  }
  // Only null becomes undefined: no record of ours has a null of its own.
  return record as T;
}
