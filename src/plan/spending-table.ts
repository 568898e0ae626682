// The calls of services' plans that have been used, counted for all processes together. All times are the database's.
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
  /** How many calls of the plan it cost. */
  readonly weight: number;
  /** `null` for calls that an older version counted. */
  readonly purpose: Purpose | null;
}

interface ClosingRow {
  readonly service: string;
  readonly untilMs: number;
  /** How many calls boards and watches want in a window; `null` if no process has said so yet. */
  readonly boardsWant: number | null;
}

export type Purpose = "person" | "board";

export interface Spend {
  readonly service: string;
  readonly purpose: Purpose;
  readonly windowMs: number;
  /** Calls within a step share a row and count from its beginning, so that large plans have few rows. */
  readonly stepMs: number;
  /** How many calls may count at the same time, this one included. */
  readonly limit: number;
  /** Reserved calls. People leave boards theirs if boards want them; boards always leave people this many. */
  readonly floors: Readonly<Record<Purpose, number>>;
  /** How many calls must remain for this purpose afterwards. */
  readonly leave: number;
  readonly weight: number;
}

/** If not taken: how many calls there is room for, and how long until this one could be sent, if known. */
export type SpendResult =
  | { readonly taken: true }
  | { readonly taken: false; readonly room: number; readonly freesInMs: number | undefined };

export interface SpendingState {
  readonly used: number;
  readonly usedByPeople: number;
  readonly boardsWant: number;
  /** When the oldest call stops counting. */
  readonly nextFreeAtMs: number | undefined;
  /** Until when nothing may be sent, because the service said so. */
  readonly closedUntilMs: number | undefined;
}

export type SpendingTable = ReturnType<typeof createSpendingTable>;

/** A call is deleted only this long after it has stopped counting, because a clock that was ahead may be set back. */
const FORGET_AFTER_MS = 24 * 60 * 60_000;
const FORGET_EVERY_MS = 60 * 60_000;

export function createSpendingTable(
  { queries, now, lockWithNext, writeWithCommit, checkClock }: Engine,
  clock: Pick<Clock, "now" | "elapsed">,
  openedAtMs: number,
) {
  /**
   * Reads everything in one statement, because each statement costs a round trip to the server. It adds up only the
   * calls that still count, because with a plan per minute the table may hold 500,000 older ones.
   */
  async function readSpending(
    transaction: Queries,
    {
      service,
      purpose = "person",
      windowMs,
    }: Pick<Spend, "service" | "windowMs"> & Partial<Pick<Spend, "purpose">>,
  ): Promise<SpendingSnapshot> {
    // In a subquery, the time is read only once, and the index is used.
    const at = sql<number>`(select ${now()})`;
    const { rows } = await sql<SpendingSnapshot>`
      select ${at} as "nowMs", (select min("at") from spending where service = ${service}) as "oldestMs",
        spent.*, closings."untilMs", closings."boardsWant"
      from (
        select coalesce(sum(weight), 0) as used, min("at") as "oldestCountedMs", max("at") as "newestMs",
          max("at") filter (where purpose = ${purpose}) as "newestOfPurposeMs",
          coalesce(sum(weight) filter (where purpose = 'person'), 0) as "byPeople",
          coalesce(sum(weight) filter (where purpose = 'board'), 0) as "byBoards"
        from spending where service = ${service} and "at" > ${at} - ${windowMs}
      ) as spent
      left join closings on closings.service = ${service}`.execute(transaction);
    const [seen] = rows;
    if (seen === undefined) {
      throw new Error("nothing was counted");
    }
    return seen;
  }

  /**
   * The last reading of the database's clock, with the elapsed time: together they show whether the clock was set or time
   * simply passed.
   */
  let last: Moment = { nowMs: openedAtMs, elapsedMs: clock.elapsed() };

  return {
    /**
     * In one transaction that no other process can interrupt. If the clock was set ahead, the counted calls
     * move with it, so that none stops counting early. If it was set back, calls from the future move to now.
     * Throws a ServiceError `storage`/`unavailable` if this machine's clock differs from the database's.
     */
    async take(spend: Spend): Promise<SpendResult> {
      const taken = await queries.transaction().execute(async (transaction) => {
        await lockWithNext(transaction, "spend");
        const askedAtMs = clock.now();
        let seen = await readSpending(transaction, spend);
        checkClock({ nowMs: seen.nowMs, askedAtMs });
        const at = { nowMs: seen.nowMs, elapsedMs: clock.elapsed() };
        const jumpMs = clockJumpSince(last, at);
        if (jumpMs > 0) {
          await moveAhead(transaction, last.nowMs, jumpMs);
          seen = await readSpending(transaction, spend);
        }
        return { result: await take(transaction, spend, seen, writeWithCommit), at };
      });
      last = taken.at;
      return taken.result;
    },
    /** A closing that lasts longer stays unchanged. */
    async close(service: string, forMs: number): Promise<void> {
      const untilMs = sql<number>`${now()} + ${sql.lit(Math.round(forMs))}`;
      await queries
        .insertInto("closings")
        .values({ service, untilMs, boardsWant: null })
        .onConflict((conflict) =>
          conflict
            .column("service")
            .doUpdateSet({ untilMs })
            .where((eb) => eb("closings.untilMs", "<", untilMs)),
        )
        .execute();
    },
    async setBoardsDemand(service: string, boardsWant: number): Promise<void> {
      await queries
        .insertInto("closings")
        .values({ service, untilMs: 0, boardsWant })
        .onConflict((conflict) =>
          conflict
            .column("service")
            .doUpdateSet({ boardsWant })
            .where("closings.boardsWant", "is distinct from", boardsWant),
        )
        .execute();
    },
    /** After a restored backup nobody knows how many calls were used. */
    async useUp({ service, windowMs, limit }: Pick<Spend, "service" | "windowMs" | "limit">): Promise<void> {
      const { nowMs, used } = await readSpending(queries, { service, windowMs });
      const weight = Math.max(0, limit - used);
      await queries.insertInto("spending").values({ service, at: nowMs, weight, purpose: null }).execute();
    },
    async read({ service, windowMs }: Pick<Spend, "service" | "windowMs">): Promise<SpendingState> {
      let seen = await readSpending(queries, { service, windowMs });
      const jumpMs = clockJumpSince(last, { nowMs: seen.nowMs, elapsedMs: clock.elapsed() });
      if (jumpMs > 0) {
        // After the clock was set ahead, rows seem older than they are.
        seen = await readSpending(queries, { service, windowMs: windowMs + jumpMs });
      }
      const { oldestCountedMs, untilMs } = seen;
      return {
        used: seen.used,
        usedByPeople: seen.byPeople,
        boardsWant: seen.boardsWant ?? 0,
        nextFreeAtMs: oldestCountedMs === null ? undefined : oldestCountedMs + windowMs + jumpMs,
        closedUntilMs: untilMs !== null && untilMs > seen.nowMs - jumpMs ? untilMs + jumpMs : undefined,
      };
    },
  };
}

interface Moment {
  readonly nowMs: number;
  readonly elapsedMs: number;
}

/** How far the database's clock was set ahead between two readings, in milliseconds; 0 if it may be imprecision. */
function clockJumpSince(before: Moment, after: Moment): number {
  const jumpMs = Math.round(after.nowMs - before.nowMs - (after.elapsedMs - before.elapsedMs));
  return jumpMs > CLOCK_TOLERANCE_MS ? jumpMs : 0;
}

/**
 * Moves rows written before the jump ahead by its length, so that their age stays the same. If a second process notices the
 * same jump, only closings that have not ended are moved again.
 */
async function moveAhead(transaction: Queries, beforeMs: number, jumpMs: number): Promise<void> {
  await transaction
    .updateTable("spending")
    .set(({ eb }) => ({ at: eb("at", "+", jumpMs) }))
    .where("at", "<=", beforeMs + CLOCK_TOLERANCE_MS)
    .execute();
  await transaction
    .updateTable("closings")
    .set(({ eb }) => ({ untilMs: eb("untilMs", "+", jumpMs) }))
    .where("untilMs", ">", beforeMs)
    .execute();
}

interface SpendingSnapshot {
  readonly nowMs: number;
  /** The time of the oldest call in the table. */
  readonly oldestMs: number | null;
  /** How many calls count now; the times of the oldest and the newest of them, and of the newest for this purpose. */
  readonly used: number;
  readonly oldestCountedMs: number | null;
  readonly newestMs: number | null;
  readonly newestOfPurposeMs: number | null;
  readonly byPeople: number;
  readonly byBoards: number;
  /** Both null if the service has no row in `closings`; `boardsWant` also if no process has stored it yet. */
  readonly untilMs: number | null;
  readonly boardsWant: number | null;
}

async function take(
  transaction: Queries,
  spend: Spend,
  seen: SpendingSnapshot,
  writeWithCommit: Engine["writeWithCommit"],
): Promise<SpendResult> {
  const { service, purpose, windowMs, stepMs, limit, floors, weight, leave } = spend;
  const { nowMs } = seen;
  if (seen.untilMs !== null && seen.untilMs > nowMs) {
    const untilMs = Math.min(seen.untilMs, nowMs + windowMs);
    if (untilMs < seen.untilMs) {
      // No closing is longer than the window, so a clock was ahead when this one was written.
      await transaction.updateTable("closings").set({ untilMs }).where("service", "=", service).execute();
    }
    return { taken: false, room: 0, freesInMs: untilMs - nowMs };
  }
  const forgottenMs = nowMs - windowMs - FORGET_AFTER_MS;
  if (seen.oldestMs !== null && seen.oldestMs <= forgottenMs - FORGET_EVERY_MS) {
    await transaction
      .deleteFrom("spending")
      .where("service", "=", service)
      .where("at", "<=", forgottenMs)
      .execute();
  }
  if (seen.newestMs !== null && seen.newestMs > nowMs) {
    await transaction.updateTable("spending").set({ at: nowMs }).where("at", ">", nowMs).execute();
  }
  const left = limit - seen.used;
  const beyondFloor = left - floors.person;
  const ofFloor = floors.board - seen.byBoards;
  const besideBoards = limit - Math.min(floors.board, seen.boardsWant ?? 0) - seen.byPeople;
  const isPerson = purpose === "person";
  const room = Math.min(left, isPerson ? besideBoards : Math.max(beyondFloor, ofFloor));
  // A call without room for it waits only until there is room. `leave` matters only after that.
  const needed = room < weight ? weight : weight + leave;
  if (needed > room) {
    const freed = (has: number, of?: Purpose) =>
      whenFree(transaction, spend, { excess: needed - has, nowMs, of });
    const own = isPerson
      ? await freed(besideBoards, purpose)
      : Math.min(await freed(beyondFloor), await freed(ofFloor, purpose));
    const freesInMs = Math.max(own, await freed(left));
    return { taken: false, room, freesInMs: freesInMs === Infinity ? undefined : freesInMs };
  }
  const at = nowMs - (nowMs % stepMs);
  const counting =
    stepMs > 1 && seen.newestOfPurposeMs === at
      ? transaction
          .updateTable("spending")
          .set(({ eb }) => ({ weight: eb("weight", "+", weight) }))
          .where((eb) => eb.and({ service, at, purpose }))
      : transaction.insertInto("spending").values({ service, at, weight, purpose });
  await writeWithCommit(transaction, counting);
  return { taken: true };
}

/** Milliseconds until `excess` more calls have stopped counting; Infinity if fewer count. */
async function whenFree(
  transaction: Queries,
  { service, windowMs }: Spend,
  {
    excess,
    nowMs,
    of,
  }: { readonly excess: number; readonly nowMs: number; readonly of: Purpose | undefined },
): Promise<number> {
  if (excess <= 0) {
    return 0;
  }
  const oldest = await transaction
    .selectFrom("spending")
    .select(["at", "weight"])
    .where("service", "=", service)
    .where("at", ">", nowMs - windowMs)
    .$if(of !== undefined, (query) => query.where("purpose", "=", of ?? null))
    .orderBy("at")
    // Each row counts at least one call.
    .limit(Math.ceil(excess))
    .execute();
  let freed = 0;
  const found = oldest.find(({ weight }) => (freed += weight) >= excess);
  return found === undefined ? Infinity : found.at + windowMs - nowMs;
}
