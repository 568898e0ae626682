import type { Migration } from "../migrations.ts";

/** People's recent choices for options of commands, e.g. stations, which come first in their lists. */
export const recentChoices: Migration = async (schema) => {
  await schema
    .createTable("recentChoices")
    .addColumn("userId", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("value", "text", (column) => column.notNull())
    .addColumn("usedAtMs", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("recentChoicesKey", ["userId", "kind", "value"])
    .execute();
  await schema.createIndex("recentChoicesByTime").on("recentChoices").column("usedAtMs").execute();
};
