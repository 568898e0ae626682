import { type Row, countRows, fromRow, readRows, toRow } from "../storage/row.ts";
import { isBotInGuild } from "../storage/left-guilds-table.ts";
import type { Engine, Queries } from "../storage/schema.ts";

declare module "../storage/schema.ts" {
  interface Schema {
    readonly watches: Row<WatchRecord>;
  }
}

/** Times are milliseconds since the epoch; `undefined` is null in the database. */
export interface WatchRecord {
  readonly id: string;
  readonly ownerId: string;
  readonly createdAtMs: number;
  /** Where the watch was requested. The owner is notified there once if DMs fail. */
  readonly askedGuildId: string | undefined;
  readonly askedChannelId: string | undefined;
  /** The channel that it notifies; both `undefined` if it notifies its owner by DM. */
  readonly guildId: string | undefined;
  readonly channelId: string | undefined;
  /** JSON for `parseWatchSettings` of watches.ts. */
  readonly settings: string;
  /** Drafts and ended watches count towards no limit, and are deleted after a while. */
  readonly state: "draft" | "active" | "paused" | "ended";
  /** Why the bot paused it; `undefined` if it did not. `station-closed` also means that the source is turned off. */
  readonly pausedBecause: "dm-closed" | "channel-gone" | "not-allowed" | "station-closed" | undefined;
  /** When `state` last changed. */
  readonly stateAtMs: number;
  /** When the runner has to check it next; `undefined` if that has not been worked out yet. */
  readonly nextAtMs: number | undefined;
}

/** The most active and paused watches allowed, including the one being changed. */
interface WatchLimits {
  readonly perOwner: number;
  /** The most watches that may notify the channels of one server. */
  readonly perGuild: number;
}

export type WatchesTable = ReturnType<typeof createWatchesTable>;

/** An absent field stays, `undefined` clears it. Changes of several rows take the write lock, as for boards. */
export function createWatchesTable({ queries, lock }: Engine) {
  return {
    async add(watch: Omit<WatchRecord, "nextAtMs">): Promise<void> {
      await queries.insertInto("watches").values(toRow(watch)).execute();
    },

    async get(id: string): Promise<WatchRecord | undefined> {
      const row = await queries.selectFrom("watches").selectAll().where("id", "=", id).executeTakeFirst();
      return row && fromRow<WatchRecord>(row);
    },

    /** All watches of a person, in any state and with any target, oldest first. */
    ofOwner: (ownerId: string) =>
      readRows<WatchRecord>(selectInOrder(queries).where("ownerId", "=", ownerId)),

    /** All watches that notify a channel of this server, in any state, oldest first. */
    ofGuild: (guildId: string) =>
      readRows<WatchRecord>(selectInOrder(queries).where("guildId", "=", guildId)),

    /** Except those whose channel is in a server that the bot has left. */
    active: () => readRows<WatchRecord>(selectActive(queries)),

    paused: () => readRows<WatchRecord>(selectInOrder(queries).where("state", "=", "paused")),

    /** Active watches that have to be checked now, including those whose next time has not been worked out. */
    due: (nowMs: number) =>
      readRows<WatchRecord>(
        selectActive(queries).where((eb) => eb.or([eb("nextAtMs", "is", null), eb("nextAtMs", "<=", nowMs)])),
      ),

    /** Sets when each watch has to be checked next, if it is still active and unchanged since it was read. */
    async defer(seen: readonly WatchRecord[], nextAtMs: (watch: WatchRecord) => number): Promise<void> {
      await queries.transaction().execute(async (transaction) => {
        await lock(transaction, "write");
        for (const watch of seen) {
          await transaction
            .updateTable("watches")
            .set({ nextAtMs: nextAtMs(watch) })
            .where((eb) => eb.and({ id: watch.id, state: "active", settings: watch.settings }))
            .where("nextAtMs", "is not distinct from", watch.nextAtMs ?? null)
            .execute();
        }
      });
    },

    /**
     * Only from a state of `from`, and within `limits`: a watch that notifies a channel counts only towards
     * its server's, any other only towards its owner's. When to check it next is worked out again, and what
     * its messages show counts as unknown.
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
     * Removes times that a wrong clock has written. Active watches are checked again, ended ones become
     * active, incidents that were closed later are deleted so that they start again, and claims end.
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

    /** Deletes a draft, which has no incidents; does nothing if it has been saved in the meantime. */
    async discard(id: string): Promise<void> {
      await queries
        .deleteFrom("watches")
        .where((eb) => eb.and({ id, state: "draft" }))
        .execute();
    },

    async remove(id: string): Promise<void> {
      await queries.transaction().execute(async (transaction) => {
        await lock(transaction, "write");
        await transaction.deleteFrom("incidents").where("watchId", "=", id).execute();
        await transaction.deleteFrom("watches").where("id", "=", id).execute();
      });
    },

    /** Also deletes incidents closed before `endedBeforeMs`, and those whose watch no longer exists. */
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

function selectActive(queries: Queries) {
  return selectInOrder(queries).where("state", "=", "active").where(isBotInGuild("watches.guildId"));
}

/** Whether the other active and paused watches leave room for this one. */
async function hasRoom(
  transaction: Queries,
  { id, ownerId, guildId }: Pick<Row<WatchRecord>, "id" | "ownerId" | "guildId">,
  { perOwner, perGuild }: WatchLimits,
): Promise<boolean> {
  const others = transaction
    .selectFrom("watches")
    .where("state", "in", ["active", "paused"])
    .where("id", "!=", id);
  return guildId === null
    ? (await countRows(others.where("guildId", "is", null).where("ownerId", "=", ownerId))) < perOwner
    : (await countRows(others.where("guildId", "=", guildId))) < perGuild;
}
