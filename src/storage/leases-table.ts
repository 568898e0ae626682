// Leases: which process may do something that only one process may do at a time. All times are the database's.
import { type ExpressionBuilder, sql } from "kysely";
import { put } from "./row.ts";
import type { Engine, Schema } from "./schema.ts";
import { CLOCK_TOLERANCE_MS } from "../core/clock.ts";

declare module "./schema.ts" {
  interface Schema {
    readonly leases: LeaseRow;
  }
}

interface LeaseRow {
  readonly name: string;
  readonly holder: string;
  readonly untilMs: number;
  /** The sealed gateway session, if this is the lease of a shard. */
  readonly session: string | null;
}

const LONGEST_LEASE_MS = 5 * 60_000;

/** A lease that lasts impossibly long was taken while the database's clock was wrong, so it counts as free. */
function isFreeAt(now: Engine["now"]) {
  return (eb: ExpressionBuilder<Schema, "leases">) =>
    eb.or([
      eb("leases.untilMs", "<=", now()),
      eb("leases.untilMs", ">", sql<number>`${now()} + ${sql.lit(LONGEST_LEASE_MS)}`),
    ]);
}

export type LeasesTable = ReturnType<typeof createLeasesTable>;

export function createLeasesTable({ queries, now, readNow, checkClock }: Engine) {
  const isFree = isFreeAt(now);
  return {
    /** Takes or renews one lease, as `takeAll` does; returns `false` if another process has it. */
    async take(name: string, holder: string, forMs: number): Promise<boolean> {
      return (await this.takeAll([name], holder, forMs)).has(name);
    },
    /**
     * Takes or renews the leases of these names for `holder`, until `forMs` from now; returns the names that it got. A lease
     * whose remaining time is longer than that, beyond the tolerance for clocks, was taken by a wrong clock and does not
     * count. Nor does that of a process that shares the fleet's shards: it gives way to a process with its own `SHARDS`.
     * Throws a ServiceError `storage`/`unavailable` if this machine's clock differs from the database's.
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
                eb.exists(
                  eb
                    .selectFrom("leases as sharing")
                    .select("sharing.name")
                    .where("sharing.name", "=", sql<string>`${processName("")} || leases.holder`),
                ),
              ]),
            ),
        )
        .returning("name")
        .execute();
      return new Set(taken.map(({ name }) => name));
    },
    /**
     * Whether any process has a valid lease; ignores those that a wrong clock took. Of a process that has left the fleet,
     * only the leases of its shards count.
     */
    async isAnyTaken(): Promise<boolean> {
      const taken = await queries
        .selectFrom("leases")
        .select("name")
        .where("name", "not like", "identify %")
        .where("name", "not like", leavingName("%"))
        .where((eb) => eb.not(isFree(eb)))
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

// Which process in a fleet runs which shards: a lease for each process, and one for each shard. A shard's lease also stores
// its gateway session for the next process.

/** A process that does not renew its leases for this long loses its shards. */
export const SHARD_LEASE_MS = 15_000;
const FORGET_AFTER_MS = 24 * 3_600_000;

/** A shard and the total number of shards, e.g. `3/16`. With another total, shard 3 has other servers. */
export type ShardKey = `${number}/${number}`;

export interface Fleet {
  /** Processes that have recently announced themselves. Most of them have joined by now. */
  readonly starting: ReadonlySet<string>;
  /** The processes that share the shards. */
  readonly processes: ReadonlySet<string>;
  /** Processes that are about to release their shards. */
  readonly leaving: ReadonlySet<string>;
  /** The process of each shard: one of `processes`, or a process with its own `SHARDS`. */
  readonly holders: ReadonlyMap<number, string>;
  /** Shards without a process. */
  readonly free: readonly number[];
  readonly sessions: number;
  readonly nowMs: number;
}

export type ShardLeasesTable = ReturnType<typeof createShardLeasesTable>;

const startingName = (holder: string): string => `starting ${holder}`;
const processName = (holder: string): string => `process ${holder}`;
const leavingName = (holder: string): string => `leaving ${holder}`;
const OF_PROCESSES = [startingName, processName, leavingName].map((nameOf) => nameOf("%"));
export const shardName = (key: ShardKey): string => `shard ${key}`;
export const shardKey = (shard: number, count: number): ShardKey => `${shard}/${count}`;
// Called only with names of shards.
const keyOf = (name: string): ShardKey => name.slice("shard ".length) as ShardKey;
const isShard = ({ name }: { readonly name: string }): boolean => name.startsWith("shard ");
export const shardOf = (key: ShardKey): number => Number.parseInt(key, 10);

/** The server's real time, because Discord's limits do not follow a simulated clock. */
const serverMs = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::int8`;

/** Throws as queries do. Sessions are sealed texts. */
export function createShardLeasesTable({ queries, now }: Engine) {
  const isFree = isFreeAt(now);
  const leaseEnd = () => sql<number>`${now()} + ${sql.lit(SHARD_LEASE_MS)}`;

  /** Always in the same order, so that two processes cannot deadlock. */
  function leasesOf(holder: string, shards: Iterable<readonly [key: ShardKey, session: string | null]>) {
    return [...shards]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, session]) => ({ name: shardName(key), holder, untilMs: leaseEnd(), session }));
  }

  return {
    /** Announces that a process is about to join the fleet. */
    async announce(holder: string): Promise<void> {
      const lease = { name: startingName(holder), holder, untilMs: leaseEnd(), session: null };
      await put(queries, "leases", lease, "name");
    },

    /** Renews the lease of a process and those of its shards. Returns the shards that it still has. */
    async renew(
      holder: string,
      sessions: ReadonlyMap<ShardKey, string | null>,
    ): Promise<ReadonlySet<ShardKey>> {
      const own = { name: processName(holder), holder, untilMs: leaseEnd(), session: null };
      const renewed = await queries
        .insertInto("leases")
        .values([own, ...leasesOf(holder, sessions)])
        .onConflict((conflict) =>
          conflict
            .column("name")
            .doUpdateSet((eb) => ({
              untilMs: eb.ref("excluded.untilMs"),
              session: eb.ref("excluded.session"),
            }))
            .where("leases.holder", "=", holder)
            // A lease that the process has just released stays free.
            .where("leases.untilMs", ">", 0),
        )
        .returning("name")
        .execute();
      return new Set(renewed.filter(isShard).map(({ name }) => keyOf(name)));
    },

    /** Claims those of `shards` that are free; returns each with the session that its previous process left. */
    async claim(holder: string, shards: readonly ShardKey[]): Promise<ReadonlyMap<ShardKey, string | null>> {
      const claimed = await queries
        .insertInto("leases")
        .values(
          leasesOf(
            holder,
            shards.map((key) => [key, null] as const),
          ),
        )
        .onConflict((conflict) =>
          conflict
            .column("name")
            .doUpdateSet((eb) => ({ holder, untilMs: eb.ref("excluded.untilMs") }))
            .where(isFree),
        )
        .returning(["name", "session"])
        .execute();
      return new Map(claimed.map(({ name, session }) => [keyOf(name), session]));
    },

    /** Frees a shard for another process, which resumes `session`. */
    async release(holder: string, key: ShardKey, session: string | null): Promise<void> {
      await queries
        .updateTable("leases")
        .set({ untilMs: 0, session })
        .where((eb) => eb.and({ name: shardName(key), holder }))
        .execute();
    },

    /** Removes the process from the fleet: from now on the others look for the shards that it releases. */
    async leave(holder: string): Promise<void> {
      await queries
        .updateTable("leases")
        .set({ name: leavingName(holder) })
        .where("name", "=", processName(holder))
        .execute();
      await queries.deleteFrom("leases").where("name", "=", startingName(holder)).execute();
    },

    /** Reads the fleet; `count` is the total number of shards. */
    async read(count: number): Promise<Fleet> {
      const rows = await queries
        .selectFrom("leases")
        .select(["name", "holder", now().as("nowMs")])
        .select((eb) => eb("session", "is not", null).as("hasSession"))
        .where((eb) => eb.or([...OF_PROCESSES, `shard %/${count}`].map((like) => eb("name", "like", like))))
        .where((eb) => eb.not(isFree(eb)))
        .execute();
      const shards = rows.filter(isShard);
      const holdersOf = (nameOf: (holder: string) => string): ReadonlySet<string> =>
        new Set(rows.filter(({ name, holder }) => name === nameOf(holder)).map(({ holder }) => holder));
      const holders = new Map(shards.map(({ name, holder }) => [shardOf(keyOf(name)), holder]));
      return {
        starting: holdersOf(startingName),
        processes: holdersOf(processName),
        leaving: holdersOf(leavingName),
        holders,
        free: Array.from({ length: count }, (_, shard) => shard).filter((shard) => !holders.has(shard)),
        sessions: shards.filter(({ hasSession }) => hasSession).length,
        nowMs: rows[0]?.nowMs ?? 0,
      };
    },

    /** Removes the leases of shards of this total that no process has, and with them their sessions. */
    async forgetShards(count: number): Promise<void> {
      await queries.deleteFrom("leases").where("name", "like", `shard %/${count}`).where(isFree).execute();
    },

    /** Whether `holder` may identify a shard of this bucket; if so, no other may for `forMs` or until `endIdentify`. */
    async takeIdentify(bucket: number, holder: string, forMs: number): Promise<boolean> {
      const untilMs = sql<number>`${serverMs} + ${sql.lit(forMs)}`;
      const taken = await queries
        .insertInto("leases")
        .values({ name: `identify ${bucket}`, holder, untilMs, session: null })
        .onConflict((conflict) =>
          conflict
            .column("name")
            .doUpdateSet({ holder, untilMs })
            .where((eb) => eb.or([eb("leases.untilMs", "<=", serverMs), eb("leases.untilMs", ">", untilMs)])),
        )
        .returning("name")
        .executeTakeFirst();
      return taken !== undefined;
    },

    /** Lets other processes identify again after `inMs`. Does nothing if another one already has the turn. */
    async endIdentify(bucket: number, holder: string, inMs: number): Promise<void> {
      await queries
        .updateTable("leases")
        .set({ untilMs: sql<number>`${serverMs} + ${sql.lit(inMs)}` })
        .where((eb) => eb.and({ name: `identify ${bucket}`, holder }))
        .execute();
    },

    async forgetEnded(): Promise<void> {
      await queries
        .deleteFrom("leases")
        .where((eb) => eb.or(OF_PROCESSES.map((like) => eb("name", "like", like))))
        .where("untilMs", "<", sql<number>`${now()} - ${sql.lit(FORGET_AFTER_MS)}`)
        .execute();
    },
  };
}
