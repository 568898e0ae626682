// What was spent of a service's plan, counted for all processes together. All times are the database's.
import { sql } from "kysely";
import { CLOCK_TOLERANCE_MS, type Clock } from "../core/clock.ts";
import type { Engine, Queries } from "../storage/schema.ts";

declare module "../storage/schema.ts" {
  interface Schema {
    readonly spending: SpendingRow;
    readonly closings: ClosingRow;
  }
}

interface SpendingRow {
  readonly service: string;
  readonly at: number;
  /** How much of the plan it cost. */
  readonly weight: number;
}

interface ClosingRow {
  readonly service: string;
  readonly untilMs: number;
}

export interface Spend {
  readonly service: string;
  /** How long a call counts. */
  readonly windowMs: number;
  /** How much may have been spent with this call included. */
  readonly limit: number;
  readonly weight: number;
}

/** Whether it may be sent; if not, in how long the same could be, as far as is known. */
export type SpendResult =
  | { readonly taken: true }
  | { readonly taken: false; readonly freesInMs: number | undefined };

export interface SpendingState {
  readonly used: number;
  /** When the oldest call stops counting. */
  readonly nextFreeAtMs: number | undefined;
  /** Until when nothing may be sent, because the service said so. */
  readonly closedUntilMs: number | undefined;
}

export type SpendingTable = ReturnType<typeof createSpendingTable>;

/** A call is forgotten so long after it has stopped counting: a clock that was ahead may come back. */
const FORGET_AFTER_MS = 24 * 60 * 60_000;

/** A rolling window over the calls of all processes. */
export function createSpendingTable(
  { queries, now, readNow, lock, checkClock }: Engine,
  clock: Pick<Clock, "elapsed">,
  openedAtMs: number,
) {
  /** Both clocks when the database's was last read, to tell time that passed from a clock that was set. */
  let last: Moment = { nowMs: openedAtMs, elapsedMs: clock.elapsed() };

  return {
    /**
     * Counts a call if the budget allows it, in one transaction that no other process can interrupt. A clock that is
     * set ahead frees nothing: what was spent before moves along with it. A row from the future (a clock was set back)
     * counts as one of now, so that it is forgotten one window from now and not later. Throws a ServiceError
     * `storage`/`unavailable` while this machine's clock differs from the database's.
     */
    async take(spend: Spend): Promise<SpendResult> {
      const taken = await queries.transaction().execute(async (transaction) => {
        const nowMs = await lock(transaction, "spend");
        checkClock();
        const at = { nowMs, elapsedMs: clock.elapsed() };
        const leapMs = leapSince(last, at);
        if (leapMs > 0) {
          await moveAhead(transaction, last.nowMs, leapMs);
        }
        return { result: await take(transaction, spend, nowMs), at };
      });
      last = taken.at;
      return taken.result;
    },
    /** Lets nothing be taken for so long; a closing that lasts longer stays as it is. */
    async close(service: string, forMs: number): Promise<void> {
      const untilMs = sql<number>`${now()} + ${sql.lit(Math.round(forMs))}`;
      await queries
        .insertInto("closings")
        .values({ service, untilMs })
        .onConflict((conflict) =>
          conflict
            .column("service")
            .doUpdateSet({ untilMs })
            .where((eb) => eb("closings.untilMs", "<", untilMs)),
        )
        .execute();
    },
    async read({ service, windowMs }: Pick<Spend, "service" | "windowMs">): Promise<SpendingState> {
      const nowMs = await readNow();
      const leapMs = leapSince(last, { nowMs, elapsedMs: clock.elapsed() });
      /** What the time would be, had nobody set the clock: rows are as old as they look then. */
      const rightMs = nowMs - leapMs;
      const [spent, closing] = await Promise.all([
        queries
          .selectFrom("spending")
          .select(({ fn }) => [fn.sum<number | null>("weight").as("used"), fn.min("at").as("oldest")])
          .where("service", "=", service)
          .where("at", ">", rightMs - windowMs)
          .executeTakeFirstOrThrow(),
        queries
          .selectFrom("closings")
          .select("untilMs")
          .where("service", "=", service)
          .where("untilMs", ">", rightMs)
          .executeTakeFirst(),
      ]);
      const { used, oldest } = spent;
      return {
        used: used ?? 0,
        // The minimum of nothing is null, whatever the types say.
        nextFreeAtMs: (oldest as number | null) === null ? undefined : oldest + windowMs + leapMs,
        closedUntilMs: closing && closing.untilMs + leapMs,
      };
    },
  };
}

interface Moment {
  readonly nowMs: number;
  readonly elapsedMs: number;
}

/** By how much the database's clock was set ahead in between; 0 for what may be imprecision. */
function leapSince(before: Moment, after: Moment): number {
  const leapMs = Math.round(after.nowMs - before.nowMs - (after.elapsedMs - before.elapsedMs));
  return leapMs > CLOCK_TOLERANCE_MS ? leapMs : 0;
}

/** What was noted before the leap happened as long ago as before it. */
async function moveAhead(transaction: Queries, beforeMs: number, leapMs: number): Promise<void> {
  await transaction
    .updateTable("spending")
    .set(({ eb }) => ({ at: eb("at", "+", leapMs) }))
    .where("at", "<=", beforeMs + CLOCK_TOLERANCE_MS)
    .execute();
  await transaction
    .updateTable("closings")
    .set(({ eb }) => ({ untilMs: eb("untilMs", "+", leapMs) }))
    .where("untilMs", ">", beforeMs)
    .execute();
}

async function take(transaction: Queries, spend: Spend, nowMs: number): Promise<SpendResult> {
  const { service, windowMs, limit, weight } = spend;
  const closing = await transaction
    .selectFrom("closings")
    .select("untilMs")
    .where("service", "=", service)
    .where("untilMs", ">", nowMs)
    .executeTakeFirst();
  if (closing !== undefined) {
    const untilMs = Math.min(closing.untilMs, nowMs + windowMs);
    if (untilMs < closing.untilMs) {
      // Nobody closes for longer: a clock was ahead when it was written.
      await transaction.updateTable("closings").set({ untilMs }).where("service", "=", service).execute();
    }
    return { taken: false, freesInMs: untilMs - nowMs };
  }
  await transaction
    .deleteFrom("spending")
    .where("service", "=", service)
    .where("at", "<=", nowMs - windowMs - FORGET_AFTER_MS)
    .execute();
  await transaction
    .updateTable("spending")
    .set({ at: nowMs })
    .where("service", "=", service)
    .where("at", ">", nowMs)
    .execute();
  const { used } = await transaction
    .selectFrom("spending")
    .select(({ fn }) => fn.sum<number | null>("weight").as("used"))
    .where("service", "=", service)
    .where("at", ">", nowMs - windowMs)
    .executeTakeFirstOrThrow();
  const excess = (used ?? 0) + weight - limit;
  if (excess > 0) {
    const freesAtMs = await whenFree(transaction, spend, excess, nowMs);
    return { taken: false, freesInMs: freesAtMs === undefined ? undefined : freesAtMs - nowMs };
  }
  await transaction.insertInto("spending").values({ service, at: nowMs, weight }).execute();
  return { taken: true };
}

/** When `excess` more will have been forgotten; `undefined` where that would not be enough either. */
async function whenFree(
  transaction: Queries,
  { service, windowMs }: Spend,
  excess: number,
  nowMs: number,
): Promise<number | undefined> {
  const oldest = await transaction
    .selectFrom("spending")
    .select(["at", "weight"])
    .where("service", "=", service)
    .where("at", ">", nowMs - windowMs)
    .orderBy("at")
    // Each weighs at least one.
    .limit(excess)
    .execute();
  let freed = 0;
  const found = oldest.find(({ weight }) => (freed += weight) >= excess);
  return found && found.at + windowMs;
}
