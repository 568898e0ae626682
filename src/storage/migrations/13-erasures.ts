import type { Migration } from "../migrations.ts";

/** Recent erasures, which are repeated after an older backup is restored. */
export const erasures: Migration = async (schema) => {
  await schema
    .createTable("erasures")
    .addColumn("guildId", "text", (column) => column.unique())
    .addColumn("userId", "text", (column) => column.unique())
    .addColumn("atMs", "bigint", (column) => column.notNull())
    .execute();
};
