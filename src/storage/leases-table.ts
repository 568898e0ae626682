// Who does what only one process may do at a time.
import type { Queries } from "./schema.ts";

export interface LeasesTable {
  /**
   * Takes or keeps the lease of this name for `holder` until `untilMs`; `false` while another holds it. A lease from
   * further ahead than any honest clock could have made it does not count.
   */
  take(name: string, holder: string, nowMs: number, untilMs: number): Promise<boolean>;
  /** Gives it up early. */
  release(name: string, holder: string): Promise<void>;
}

/** How far the clocks of two processes may lie apart (docs/hosting.md). */
const CLOCK_SKEW_MS = 5_000;

/** Makes the table's queries. */
export function createLeasesTable(queries: Queries): LeasesTable {
  return {
    async take(name, holder, nowMs, untilMs) {
      // One statement: of two that come at once the second sees what the first has written.
      const taken = await queries
        .insertInto("leases")
        .values({ name, holder, untilMs })
        .onConflict((conflict) =>
          conflict
            .column("name")
            .doUpdateSet({ holder, untilMs })
            .where((eb) =>
              eb.or([
                eb("leases.holder", "=", holder),
                eb("leases.untilMs", "<=", nowMs),
                eb("leases.untilMs", ">", untilMs + CLOCK_SKEW_MS),
              ]),
            ),
        )
        .returning("name")
        .executeTakeFirst();
      return taken !== undefined;
    },
    async release(name, holder) {
      await queries.deleteFrom("leases").where("name", "=", name).where("holder", "=", holder).execute();
    },
  };
}
