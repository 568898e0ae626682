// Which process of a fleet runs which shards: a lease for each process, and one for each shard, which also keeps the shard's
// gateway session for the process that has it next. All times are the database's.
import { type ExpressionBuilder, sql } from "kysely";
import { LONGEST_MS } from "./leases-table.ts";
import type { Engine, Schema } from "./schema.ts";

/** A process that is gone for so long loses its shards. */
export const SHARD_LEASE_MS = 15_000;
/** Of processes that have ended, leases are removed after a day. */
const FORGET_AFTER_MS = 24 * 3_600_000;

/** One of so many shards, e.g. `3/16`: of another number, a shard has other servers. */
export type ShardKey = `${number}/${number}`;

export interface Fleet {
  /** The processes that share the shards. */
  readonly processes: ReadonlySet<string>;
  /** Those that are about to free their shards. */
  readonly leaving: ReadonlySet<string>;
  /** Who has each shard: one of them, or a process whose shards its operator has chosen. */
  readonly holders: ReadonlyMap<number, string>;
  /** How many of the shards have a session. */
  readonly sessions: number;
  readonly nowMs: number;
}

export type ShardLeasesTable = ReturnType<typeof createShardLeasesTable>;

const processName = (holder: string): string => `process ${holder}`;
const leavingName = (holder: string): string => `leaving ${holder}`;
export const shardName = (key: ShardKey): string => `shard ${key}`;
export const shardKey = (shard: number, count: number): ShardKey => `${shard}/${count}`;
// Only names of shards are asked for.
const keyOf = (name: string): ShardKey => name.slice("shard ".length) as ShardKey;
const isShard = ({ name }: { readonly name: string }): boolean => name.startsWith("shard ");
/** Which of them it is. */
export const shardOf = (key: ShardKey): number => Number.parseInt(key, 10);

/** Throws as queries do. Sessions are sealed texts. */
export function createShardLeasesTable({ queries, now }: Engine) {
  /** One that lasts impossibly long was taken while the database's clock was wrong. */
  const isFree = (eb: ExpressionBuilder<Schema, "leases">) =>
    eb.or([
      eb("leases.untilMs", "<=", now()),
      eb("leases.untilMs", ">", sql<number>`${now()} + ${sql.lit(LONGEST_MS)}`),
    ]);

  /** In the same order everywhere, so that two processes never wait for each other. */
  function leasesOf(holder: string, shards: Iterable<readonly [key: ShardKey, session: string | null]>) {
    const untilMs = sql<number>`${now()} + ${sql.lit(SHARD_LEASE_MS)}`;
    return [...shards]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, session]) => ({ name: shardName(key), holder, untilMs, session }));
  }

  return {
    /**
     * Renews the lease of a process and those of its shards, each with the session that could go on with it now. Gives the
     * shards that it still has.
     */
    async renew(
      holder: string,
      sessions: ReadonlyMap<ShardKey, string | null>,
    ): Promise<ReadonlySet<ShardKey>> {
      const untilMs = sql<number>`${now()} + ${sql.lit(SHARD_LEASE_MS)}`;
      const own = { name: processName(holder), holder, untilMs, session: null };
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
            // What it has just released stays free.
            .where("leases.untilMs", ">", 0),
        )
        .returning("name")
        .execute();
      return new Set(renewed.filter(isShard).map(({ name }) => keyOf(name)));
    },

    /** Takes those of the shards that are free, each with the session that its last process left. */
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

    /** Frees a shard for another process, with the session to go on with. */
    async release(holder: string, key: ShardKey, session: string | null): Promise<void> {
      await queries
        .updateTable("leases")
        .set({ untilMs: 0, session })
        .where("name", "=", shardName(key))
        .where("holder", "=", holder)
        .execute();
    },

    /** From now on the others share all shards: they look for those that this process frees. */
    async leave(holder: string): Promise<void> {
      await queries
        .updateTable("leases")
        .set({ name: leavingName(holder) })
        .where("name", "=", processName(holder))
        .execute();
    },

    /** The fleet as it is now, of so many shards. */
    async read(count: number): Promise<Fleet> {
      const rows = await queries
        .selectFrom("leases")
        .select(["name", "holder", now().as("nowMs")])
        .select((eb) => eb("session", "is not", null).as("hasSession"))
        .where((eb) =>
          eb.or(["process %", "leaving %", `shard %/${count}`].map((like) => eb("name", "like", like))),
        )
        .where((eb) => eb.not(isFree(eb)))
        .execute();
      const shards = rows.filter(isShard);
      const holdersOf = (nameOf: (holder: string) => string): ReadonlySet<string> =>
        new Set(rows.filter(({ name, holder }) => name === nameOf(holder)).map(({ holder }) => holder));
      return {
        processes: holdersOf(processName),
        leaving: holdersOf(leavingName),
        holders: new Map(shards.map(({ name, holder }) => [shardOf(keyOf(name)), holder])),
        sessions: shards.filter(({ hasSession }) => hasSession).length,
        nowMs: rows[0]?.nowMs ?? 0,
      };
    },

    /** Removes the leases of so many shards. */
    async forgetShards(count: number): Promise<void> {
      await queries.deleteFrom("leases").where("name", "like", `shard %/${count}`).execute();
    },

    /**
     * Whether this process may identify a shard of this bucket now; nobody else may for so long then. By the server's own
     * clock: Discord's limits follow no time that is simulated.
     */
    async takeIdentify(bucket: number, holder: string, forMs: number): Promise<boolean> {
      const serverMs = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::int8`;
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

    /** Removes what processes have left that ended long ago. */
    async forgetEnded(): Promise<void> {
      await queries
        .deleteFrom("leases")
        .where((eb) => eb.or([eb("name", "like", "process %"), eb("name", "like", "leaving %")]))
        .where("untilMs", "<", sql<number>`${now()} - ${sql.lit(FORGET_AFTER_MS)}`)
        .execute();
    },
  };
}
