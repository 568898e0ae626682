// Who was erased lately. A backup may still contain them: once it is restored, they are erased again.
import { type Row, readRows, toRow } from "./row.ts";
import type { Queries } from "./schema.ts";

declare module "./schema.ts" {
  interface Schema {
    readonly erasures: Row<Erasure>;
  }
}

/** Of a server or of a person. */
export interface Erasure {
  readonly guildId: string | undefined;
  readonly userId: string | undefined;
  readonly atMs: number;
}

export function createErasuresTable(queries: Queries) {
  return {
    /** Of several times, the last one counts. */
    async note(erasure: Erasure): Promise<void> {
      await queries
        .insertInto("erasures")
        .values(toRow(erasure))
        .onConflict((conflict) =>
          conflict
            .column(erasure.guildId === undefined ? "userId" : "guildId")
            .doUpdateSet({ atMs: erasure.atMs }),
        )
        .execute();
    },
    all: () => readRows<Erasure>(queries.selectFrom("erasures").selectAll()),
    async forget(beforeMs: number): Promise<void> {
      await queries.deleteFrom("erasures").where("atMs", "<", beforeMs).execute();
    },
  };
}
