// Watches of people and of channels: what they are and how they stand. Their incidents are in another table.
import { type Row, fromRow, readRows, toRow } from "../storage/row.ts";
import { isBotInGuild } from "../storage/left-guilds-table.ts";
import type { Engine, Queries } from "../storage/schema.ts";

declare module "../storage/schema.ts" {
  interface Schema {
    readonly watches: Row<WatchRecord>;
  }
}

/** A watch as it is kept. Times are milliseconds since the epoch; `undefined` is null in the database. */
export interface WatchRecord {
  readonly id: string;
  readonly ownerId: string;
  readonly createdAtMs: number;
  /** Where it was asked for. */
  readonly askedGuildId: string | undefined;
  readonly askedChannelId: string | undefined;
  /** The channel that it notifies; both `undefined` where it notifies its owner in direct messages. */
  readonly guildId: string | undefined;
  readonly channelId: string | undefined;
  /** JSON; watches.ts reads it. */
  readonly settings: string;
  /** `draft`: shown to its maker, not yet saved. `ended`: its train has left. Neither counts, and both are swept. */
  readonly state: "draft" | "active" | "paused" | "ended";
  /** Why the bot paused it; `station-closed` also where the source of what it watches is off. */
  readonly pausedBecause: "dm-closed" | "channel-gone" | "not-allowed" | "station-closed" | undefined;
  /** When it got its state. */
  readonly stateAtMs: number;
  /** When there is something to do for it; `undefined` where nobody has worked that out yet. */
  readonly nextAtMs: number | undefined;
}

/** How many active and paused watches there may be, this one included. */
interface WatchLimits {
  readonly perOwner: number;
  /** Of those that notify a channel of one server. */
  readonly perGuild: number;
}

export type WatchesTable = ReturnType<typeof createWatchesTable>;

/**
 * A part of a change that is absent stays as it was; one that is `undefined` is emptied. What changes several rows at
 * once takes the lock, as for boards.
 */
export function createWatchesTable({ queries, lock }: Engine) {
  return {
    async add(watch: Omit<WatchRecord, "nextAtMs">): Promise<void> {
      await queries.insertInto("watches").values(toRow(watch)).execute();
    },

    async get(id: string): Promise<WatchRecord | undefined> {
      const row = await queries.selectFrom("watches").selectAll().where("id", "=", id).executeTakeFirst();
      return row && fromRow<WatchRecord>(row);
    },

    /** In any state and with any target, in the order in which they were made. */
    ofOwner: (ownerId: string) =>
      readRows<WatchRecord>(selectInOrder(queries).where("ownerId", "=", ownerId)),

    /** Those that notify a channel of this server, in any state, in the order in which they were made. */
    ofGuild: (guildId: string) =>
      readRows<WatchRecord>(selectInOrder(queries).where("guildId", "=", guildId)),

    /** Active watches, but for those whose channel is in a server that the bot has left. */
    active: () => readRows<WatchRecord>(selectRunning(queries)),

    /** Paused watches, no matter who paused them. */
    paused: () => readRows<WatchRecord>(selectInOrder(queries).where("state", "=", "paused")),

    /** Of the active ones those for which there is something to do, or may be. */
    due: (nowMs: number) =>
      readRows<WatchRecord>(
        selectRunning(queries).where((eb) =>
          eb.or([eb("nextAtMs", "is", null), eb("nextAtMs", "<=", nowMs)]),
        ),
      ),

    /** Sets when there is something to do again, for active watches that are still as they were seen. */
    async defer(seen: readonly WatchRecord[], nextAtMs: (watch: WatchRecord) => number): Promise<void> {
      await queries.transaction().execute(async (transaction) => {
        await lock(transaction, "write");
        for (const watch of seen) {
          await transaction
            .updateTable("watches")
            .set({ nextAtMs: nextAtMs(watch) })
            .where("id", "=", watch.id)
            .where("state", "=", "active")
            .where("settings", "=", watch.settings)
            .where("nextAtMs", "is not distinct from", watch.nextAtMs ?? null)
            .execute();
        }
      });
    },

    /**
     * Changes parts of a watch, but only while its state is one of these, and only while there is room for it where
     * `limits` is given; says what stood in the way. A watch that notifies a channel takes room of its server alone, any
     * other of its owner alone. What there is to do for it is worked out again, and what its messages show counts as
     * unknown.
     */
    changeState: (
      id: string,
      from: readonly WatchRecord["state"][],
      changes: Partial<
        Pick<WatchRecord, "settings" | "state" | "pausedBecause" | "stateAtMs" | "guildId" | "channelId">
      >,
      limits?: WatchLimits,
    ): Promise<"changed" | "not-in-state" | "no-room"> =>
      queries.transaction().execute(async (transaction) => {
        await lock(transaction, "write");
        const watch = await transaction
          .selectFrom("watches")
          .select(["ownerId", "guildId"])
          .where("id", "=", id)
          .where("state", "in", from)
          .executeTakeFirst();
        if (watch === undefined) {
          return "not-in-state";
        }
        const after = { ...watch, ...toRow(changes), id };
        if (limits !== undefined && !(await hasRoom(transaction, after, limits))) {
          return "no-room";
        }
        const { numUpdatedRows } = await transaction
          .updateTable("watches")
          .set({ ...toRow(changes), nextAtMs: null })
          .where("id", "=", id)
          .where("state", "in", from)
          .executeTakeFirstOrThrow();
        await transaction
          .updateTable("incidents")
          .set({ shownHash: null })
          .where("watchId", "=", id)
          .execute();
        return numUpdatedRows > 0n ? "changed" : "not-in-state";
      }),

    /**
     * Undoes what a clock has noted that was ahead of this moment: what there is to do for active watches is worked out
     * again, what ended later has not ended, and days that were closed later are begun again.
     */
    async forgetAfter(ms: number): Promise<void> {
      await queries.transaction().execute(async (transaction) => {
        await lock(transaction, "write");
        await transaction
          .updateTable("watches")
          .set({ nextAtMs: null })
          .where("state", "=", "active")
          .where("nextAtMs", ">", ms)
          .execute();
        await transaction
          .updateTable("watches")
          .set({ state: "active", stateAtMs: ms, nextAtMs: null })
          .where("state", "=", "ended")
          .where("stateAtMs", ">", ms)
          .execute();
        await transaction.deleteFrom("incidents").where("closedAtMs", ">", ms).execute();
        await transaction
          .updateTable("incidents")
          .set({ claimedUntilMs: null })
          .where("claimedUntilMs", ">", ms)
          .execute();
      });
    },

    /** With all of its incidents. */
    async remove(id: string): Promise<void> {
      await queries.transaction().execute(async (transaction) => {
        await lock(transaction, "write");
        await transaction.deleteFrom("incidents").where("watchId", "=", id).execute();
        await transaction.deleteFrom("watches").where("id", "=", id).execute();
      });
    },

    /**
     * Removes drafts whose state is older than the first moment, and ended ones than the second, with all of their
     * incidents; and incidents of days that were over by then.
     */
    async sweep(draftsBeforeMs: number, endedBeforeMs: number): Promise<void> {
      await queries.transaction().execute(async (transaction) => {
        await lock(transaction, "write");
        await transaction
          .deleteFrom("watches")
          .where((eb) =>
            eb.or([
              eb.and([eb("state", "=", "draft"), eb("stateAtMs", "<", draftsBeforeMs)]),
              eb.and([eb("state", "=", "ended"), eb("stateAtMs", "<", endedBeforeMs)]),
            ]),
          )
          .execute();
        await transaction
          .deleteFrom("incidents")
          .where((eb) =>
            eb.or([
              eb("closedAtMs", "<", endedBeforeMs),
              eb.not(
                eb.exists(
                  eb
                    .selectFrom("watches")
                    .select("watches.id")
                    .whereRef("watches.id", "=", "incidents.watchId"),
                ),
              ),
            ]),
          )
          .execute();
      });
    },
  };
}

function selectInOrder(queries: Queries) {
  return queries.selectFrom("watches").selectAll().orderBy("createdAtMs").orderBy("id");
}

function selectRunning(queries: Queries) {
  return selectInOrder(queries).where("state", "=", "active").where(isBotInGuild("watches.guildId"));
}

/** Whether those that count, this one aside, leave room for it. */
async function hasRoom(
  transaction: Queries,
  {
    id,
    ownerId,
    guildId,
  }: { readonly id: string; readonly ownerId: string; readonly guildId: string | null },
  { perOwner, perGuild }: WatchLimits,
): Promise<boolean> {
  const counted = transaction
    .selectFrom("watches")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("state", "in", ["active", "paused"])
    .where("id", "!=", id);
  const { count } = await (
    guildId === null
      ? counted.where("guildId", "is", null).where("ownerId", "=", ownerId)
      : counted.where("guildId", "=", guildId)
  ).executeTakeFirstOrThrow();
  return count < (guildId === null ? perOwner : perGuild);
}
