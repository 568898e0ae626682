import type { Migration } from "../migrations.ts";

/** Who was erased lately, so that they are erased again once an older backup is restored. */
export const erasures: Migration = async (schema) => {
  await schema
    .createTable("erasures")
    .addColumn("guildId", "text", (column) => column.unique())
    .addColumn("userId", "text", (column) => column.unique())
    .addColumn("atMs", "bigint", (column) => column.notNull())
    .execute();
};
