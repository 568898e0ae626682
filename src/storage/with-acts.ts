// What is done to a guild's videos and the lines that tell of it: neither is there without the other, whatever dies.
import { toRow } from "./row.ts";
import type { Queries } from "./schema.ts";
import type { VideoActRecord } from "./video-records-table.ts";

/**
 * Makes a change and writes its lines, in one transaction. A change that was not made (`undefined`, `false`) has none.
 * Throws as both do; then neither was done.
 */
export async function withActs<T>(
  queries: Queries,
  acts: readonly VideoActRecord[],
  change: (queries: Queries) => Promise<T>,
): Promise<T> {
  if (acts.length === 0) {
    return change(queries);
  }
  return queries.transaction().execute(async (transaction) => {
    const changed = await change(transaction);
    if (changed !== undefined && changed !== false) {
      await transaction
        .insertInto("videoActs")
        .values(acts.map((act) => toRow(act)))
        .execute();
    }
    return changed;
  });
}
