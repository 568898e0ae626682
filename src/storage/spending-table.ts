// What was spent of a service's plan, counted for all processes together.
import type { Engine, Queries } from "./schema.ts";

/** A call that wants to be sent. */
export interface Spend {
  readonly service: string;
  /** Asked when it is this call's turn: it may have waited for others. */
  readonly now: () => number;
  /** How long a call counts. */
  readonly windowMs: number;
  /** Further ahead than this no honest clock can be; see `take`. */
  readonly skewMs: number;
  /** How much may have been spent with this call included. */
  readonly limit: number;
  readonly weight: number;
}

/** Whether it may be sent; if not, the first moment at which the same could be, as far as is known. */
export type SpendResult =
  | { readonly taken: true }
  | { readonly taken: false; readonly freesAtMs: number | undefined };

/** How a plan stands. */
export interface SpendingState {
  readonly used: number;
  /** When the oldest call stops counting. */
  readonly nextFreeAtMs: number | undefined;
  /** Until when nothing may be sent, because the service said so. */
  readonly closedUntilMs: number | undefined;
}

/** A rolling window over the calls of all processes. */
export interface SpendingTable {
  /**
   * Counts a call if there is room for it, in one transaction that no other process can come between. A row from the
   * future (a clock was wrong) counts as one of now, so that it is forgotten one window from now and not later.
   */
  take(spend: Spend): Promise<SpendResult>;
  /** Lets nothing be taken until then. */
  close(service: string, untilMs: number): Promise<void>;
  /** How it stands, without changing anything. */
  read(asked: Pick<Spend, "service" | "now" | "windowMs">): Promise<SpendingState>;
}

/** Makes the table's queries. */
export function createSpendingTable({ queries, lock }: Engine): SpendingTable {
  return {
    take: (spend) =>
      queries.transaction().execute(async (transaction) => {
        await lock(transaction, "spend");
        return take(transaction, spend);
      }),
    async close(service, untilMs) {
      await queries
        .insertInto("closings")
        .values({ service, untilMs })
        .onConflict((conflict) => conflict.column("service").doUpdateSet({ untilMs }))
        .execute();
    },
    async read({ service, now, windowMs }) {
      const nowMs = now();
      const closedUntilMs = await readClosing(queries, service, nowMs);
      const { used, oldest } = await queries
        .selectFrom("spending")
        .select(({ fn }) => [fn.sum<number | null>("weight").as("used"), fn.min("at").as("oldest")])
        .where("service", "=", service)
        .where("at", ">", nowMs - windowMs)
        .executeTakeFirstOrThrow();
      return {
        used: used ?? 0,
        // The minimum of nothing is null, whatever the types say.
        nextFreeAtMs: (oldest as number | null) === null ? undefined : oldest + windowMs,
        closedUntilMs,
      };
    },
  };
}

async function take(transaction: Queries, spend: Spend): Promise<SpendResult> {
  const { service, windowMs, skewMs, limit, weight } = spend;
  const nowMs = spend.now();
  const closedUntilMs = await readClosing(transaction, service, nowMs);
  if (closedUntilMs !== undefined) {
    return { taken: false, freesAtMs: closedUntilMs };
  }
  await transaction
    .deleteFrom("spending")
    .where("service", "=", service)
    .where("at", "<=", nowMs - windowMs)
    .execute();
  await transaction
    .updateTable("spending")
    .set({ at: nowMs })
    .where("service", "=", service)
    .where("at", ">", nowMs + skewMs)
    .execute();
  const { used } = await transaction
    .selectFrom("spending")
    .select(({ fn }) => fn.sum<number | null>("weight").as("used"))
    .where("service", "=", service)
    .executeTakeFirstOrThrow();
  const excess = (used ?? 0) + weight - limit;
  if (excess > 0) {
    return { taken: false, freesAtMs: await whenFree(transaction, spend, excess) };
  }
  await transaction.insertInto("spending").values({ service, at: nowMs, weight }).execute();
  return { taken: true };
}

/** When `excess` more will have been forgotten; `undefined` where that would not be enough either. */
async function whenFree(
  transaction: Queries,
  { service, windowMs }: Spend,
  excess: number,
): Promise<number | undefined> {
  const oldest = await transaction
    .selectFrom("spending")
    .select(["at", "weight"])
    .where("service", "=", service)
    .orderBy("at")
    // Each weighs at least one.
    .limit(excess)
    .execute();
  let freed = 0;
  const last = oldest.find(({ weight }) => (freed += weight) >= excess);
  return last && last.at + windowMs;
}

async function readClosing(queries: Queries, service: string, nowMs: number): Promise<number | undefined> {
  const row = await queries
    .selectFrom("closings")
    .select("untilMs")
    .where("service", "=", service)
    .where("untilMs", ">", nowMs)
    .executeTakeFirst();
  return row?.untilMs;
}
