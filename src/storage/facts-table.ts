// Facts about the whole database, each noted once.
import type { Queries } from "./schema.ts";

declare module "./schema.ts" {
  interface Schema {
    readonly facts: FactRow;
  }
}

/** Something that is true of the whole database. */
interface FactRow {
  readonly name: string;
  readonly value: string;
}

/** What is noted. `application`: the id of the Discord application whose bot uses this database. */
export type FactName = "application";

export interface FactsTable {
  /** Notes a fact that nobody has noted before; gives what is noted. */
  note(name: FactName, value: string): Promise<string>;
}

export function createFactsTable(queries: Queries): FactsTable {
  return {
    async note(name, value) {
      await queries
        .insertInto("facts")
        .values({ name, value })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .execute();
      const fact = await queries
        .selectFrom("facts")
        .select("value")
        .where("name", "=", name)
        .executeTakeFirstOrThrow();
      return fact.value;
    },
  };
}
