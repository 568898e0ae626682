// Who does what only one process may do at a time. All times are the database's.
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
  /** Of a shard that is leased (`shard-leases-table.ts`): its gateway session, sealed. */
  readonly session: string | null;
}

/** None is taken for longer. */
export const LONGEST_LEASE_MS = 5 * 60_000;

export type LeasesTable = ReturnType<typeof createLeasesTable>;

export function createLeasesTable({ queries, now, readNow, checkClock }: Engine) {
  return {
    /** As `takeAll`, of one; `false` while another process has it. */
    async take(name: string, holder: string, forMs: number): Promise<boolean> {
      return (await this.takeAll([name], holder, forMs)).has(name);
    },
    /**
     * Takes or renews the leases of these names for `holder`, `forMs` from now; returns those that nobody else has. A lease that
     * lasts longer than that, by more than right clocks are set back, was taken by a wrong one and does not count. Throws a
     * ServiceError `storage`/`unavailable` while this machine's clock differs from the database's.
     */
    async takeAll(names: readonly string[], holder: string, forMs: number): Promise<ReadonlySet<string>> {
      await readNow();
      checkClock();
      const untilMs = sql<number>`${now()} + ${sql.lit(forMs)}`;
      // One statement: of two that come at once the second sees what the first has written.
      const taken = await queries
        .insertInto("leases")
        // In one order, so that two processes cannot deadlock.
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
    /** Whether any process has one, as far as a wrong clock has not taken it. */
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
    /** Forgets all of them. */
    async clear(): Promise<void> {
      await queries.deleteFrom("leases").execute();
    },
    /** Gives them up early. */
    async release(names: readonly string[], holder: string): Promise<void> {
      await queries.deleteFrom("leases").where("name", "in", names).where("holder", "=", holder).execute();
    },
  };
}
