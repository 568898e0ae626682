// The queries over watches. Whoever changes several rows at once holds the lock, as for boards.
import { isNotLeft } from "./is-not-left.ts";
import { fromRow, toRow } from "./row.ts";
import type { Engine, Queries } from "./schema.ts";
import type { WatchesTable, WatchLimits, WatchRecord } from "./watches-table.ts";

/** Makes the table's queries. */
export function createWatchesTable({ queries, lock }: Engine): WatchesTable {
  return {
    async add(watch) {
      await queries.insertInto("watches").values(toRow(watch)).execute();
    },
    async get(id) {
      const row = await queries.selectFrom("watches").selectAll().where("id", "=", id).executeTakeFirst();
      return row && fromRow<WatchRecord>(row);
    },
    async ofOwner(ownerId) {
      const rows = await selectInOrder(queries).where("ownerId", "=", ownerId).execute();
      return rows.map((row) => fromRow<WatchRecord>(row));
    },
    async ofGuild(guildId) {
      const rows = await selectInOrder(queries).where("guildId", "=", guildId).execute();
      return rows.map((row) => fromRow<WatchRecord>(row));
    },
    async active() {
      const rows = await selectRunning(queries).execute();
      return rows.map((row) => fromRow<WatchRecord>(row));
    },
    async paused() {
      const rows = await selectInOrder(queries).where("state", "=", "paused").execute();
      return rows.map((row) => fromRow<WatchRecord>(row));
    },
    async due(nowMs) {
      const rows = await selectRunning(queries)
        .where((eb) => eb.or([eb("nextAtMs", "is", null), eb("nextAtMs", "<=", nowMs)]))
        .execute();
      return rows.map((row) => fromRow<WatchRecord>(row));
    },
    async defer(seen, nextAtMs) {
      await queries.transaction().execute(async (transaction) => {
        await lock(transaction, "boards");
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
    changeState: (id, from, changes, limits) =>
      queries.transaction().execute(async (transaction) => {
        await lock(transaction, "boards");
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
    async forgetAfter(ms) {
      await queries.transaction().execute(async (transaction) => {
        await lock(transaction, "boards");
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
    async remove(id) {
      await queries.transaction().execute(async (transaction) => {
        await lock(transaction, "boards");
        await transaction.deleteFrom("incidents").where("watchId", "=", id).execute();
        await transaction.deleteFrom("watches").where("id", "=", id).execute();
      });
    },
    async sweep(draftsBeforeMs, endedBeforeMs) {
      await queries.transaction().execute(async (transaction) => {
        await lock(transaction, "boards");
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
  return selectInOrder(queries).where("state", "=", "active").where(isNotLeft("watches.guildId"));
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
