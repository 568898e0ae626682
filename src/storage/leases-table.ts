// Leases: which process may do something that only one process may do at a time. All times are the database's.
import { sql } from "kysely";
import { CLOCK_TOLERANCE_MS } from "../core/clock.ts";
import type { Engine } from "./schema.ts";

declare module "./schema.ts" {
  interface Schema {
    readonly leases: LeaseRow;
  }
}

interface LeaseRow {
  readonly name: string;
  readonly holder: string;
  readonly untilMs: number;
  /** The sealed gateway session, if this is the lease of a shard (`shard-leases-table.ts`). */
  readonly session: string | null;
}

export const LONGEST_LEASE_MS = 5 * 60_000;

export type LeasesTable = ReturnType<typeof createLeasesTable>;

export function createLeasesTable({ queries, now, readNow, checkClock }: Engine) {
  return {
    /** Takes or renews one lease, as `takeAll` does; returns `false` if another process has it. */
    async take(name: string, holder: string, forMs: number): Promise<boolean> {
      return (await this.takeAll([name], holder, forMs)).has(name);
    },
    /**
     * Takes or renews the leases of these names for `holder`, until `forMs` from now; returns the names that it got. A
     * lease whose remaining time is longer than that, beyond the tolerance for clocks, was taken by a wrong clock and
     * does not count. Throws a ServiceError `storage`/`unavailable` if this machine's clock differs from the
     * database's.
     */
    async takeAll(names: readonly string[], holder: string, forMs: number): Promise<ReadonlySet<string>> {
      await readNow();
      checkClock();
      const untilMs = sql<number>`${now()} + ${sql.lit(forMs)}`;
      // One statement: if two run at the same time, the second sees what the first has written.
      const taken = await queries
        .insertInto("leases")
        // Sorted, so that two processes cannot deadlock.
        .values(names.toSorted().map((name) => ({ name, holder, untilMs, session: null })))
        .onConflict((conflict) =>
          conflict
            .column("name")
            .doUpdateSet({ holder, untilMs })
            .where((eb) =>
              eb.or([
                eb("leases.holder", "=", holder),
                eb("leases.untilMs", "<=", now()),
                eb("leases.untilMs", ">", sql<number>`${untilMs} + ${sql.lit(CLOCK_TOLERANCE_MS)}`),
              ]),
            ),
        )
        .returning("name")
        .execute();
      return new Set(taken.map(({ name }) => name));
    },
    /** Whether any process has a valid lease; ignores those that a wrong clock took. */
    async isAnyTaken(): Promise<boolean> {
      const taken = await queries
        .selectFrom("leases")
        .select("name")
        .where("name", "not like", "identify %")
        .where("untilMs", ">", now())
        .where("untilMs", "<=", sql<number>`${now()} + ${sql.lit(LONGEST_LEASE_MS)}`)
        .executeTakeFirst();
      return taken !== undefined;
    },
    async clear(): Promise<void> {
      await queries.deleteFrom("leases").execute();
    },
    async release(names: readonly string[], holder: string): Promise<void> {
      await queries.deleteFrom("leases").where("name", "in", names).where("holder", "=", holder).execute();
    },
  };
}
