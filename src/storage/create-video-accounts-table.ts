// The queries over linked accounts.
import { fromRow, toRow } from "./row.ts";
import type { Queries } from "./schema.ts";
import type { VideoAccountRecord, VideoAccountsTable } from "./video-accounts-table.ts";

/** Makes the table's queries. */
export function createVideoAccountsTable(queries: Queries): VideoAccountsTable {
  return {
    async get(guildId) {
      const row = await queries
        .selectFrom("videoAccounts")
        .selectAll()
        .where("guildId", "=", guildId)
        .executeTakeFirst();
      return row && fromRow<VideoAccountRecord>(row);
    },
    async put(account) {
      const row = toRow(account);
      await queries
        .insertInto("videoAccounts")
        .values(row)
        .onConflict((conflict) => conflict.column("guildId").doUpdateSet(row))
        .execute();
    },
    async change({ guildId, linkedAtMs }, changes) {
      const { numUpdatedRows } = await queries
        .updateTable("videoAccounts")
        .set(toRow(changes))
        .where("guildId", "=", guildId)
        .where("linkedAtMs", "=", linkedAtMs)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
    async remove(guildId) {
      const { numDeletedRows } = await queries
        .deleteFrom("videoAccounts")
        .where("guildId", "=", guildId)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
    async checkedBefore(atMs, limit) {
      const rows = await queries
        .selectFrom("videoAccounts")
        .selectAll()
        .where("checkedAtMs", "<", atMs)
        .orderBy("checkedAtMs")
        .orderBy("guildId")
        .limit(limit)
        .execute();
      return rows.map((row) => fromRow<VideoAccountRecord>(row));
    },
  };
}
