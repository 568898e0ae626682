// The queries over linked accounts.
import { isNotLeft } from "./is-not-left.ts";
import { fromRow, toRow } from "./row.ts";
import type { Queries } from "./schema.ts";
import type { VideoAccountRecord, VideoAccountsTable } from "./video-accounts-table.ts";
import { withActs } from "./with-acts.ts";

/** Makes the table's queries. */
export function createVideoAccountsTable(queries: Queries): VideoAccountsTable {
  return {
    async get(guildId) {
      const row = await queries
        .selectFrom("videoAccounts")
        .selectAll()
        .where("guildId", "=", guildId)
        .where(isNotLeft("videoAccounts.guildId"))
        .executeTakeFirst();
      return row && fromRow<VideoAccountRecord>(row);
    },
    async put(account, acts = []) {
      const row = toRow(account);
      await withActs(queries, acts, (within) =>
        within
          .insertInto("videoAccounts")
          .values(row)
          .onConflict((conflict) => conflict.column("guildId").doUpdateSet(row))
          .execute(),
      );
    },
    change: ({ guildId, linkedAtMs }, changes, acts = []) =>
      withActs(queries, acts, async (within) => {
        const { numUpdatedRows } = await within
          .updateTable("videoAccounts")
          .set(toRow(changes))
          .where("guildId", "=", guildId)
          .where("linkedAtMs", "=", linkedAtMs)
          .executeTakeFirstOrThrow();
        return numUpdatedRows > 0n;
      }),
    remove: (guildId, acts = []) =>
      withActs(queries, acts, async (within) => {
        const { numDeletedRows } = await within
          .deleteFrom("videoAccounts")
          .where("guildId", "=", guildId)
          .executeTakeFirstOrThrow();
        return numDeletedRows > 0n;
      }),
    async checkedBefore(atMs, limit) {
      const rows = await queries
        .selectFrom("videoAccounts")
        .selectAll()
        .where("checkedAtMs", "<", atMs)
        .where(isNotLeft("videoAccounts.guildId"))
        .orderBy("checkedAtMs")
        .orderBy("guildId")
        .limit(limit)
        .execute();
      return rows.map((row) => fromRow<VideoAccountRecord>(row));
    },
  };
}
