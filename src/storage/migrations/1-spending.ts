import type { Migration } from "../migrations.ts";

/** Calls that count against the services' plans, and the guilds whose data waits to be erased. */
export const spending: Migration = async (schema) => {
  await schema
    .createTable("spending")
    .addColumn("service", "text", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("weight", "integer", (column) => column.notNull())
    .execute();
  await schema.createIndex("spendingByTime").on("spending").columns(["service", "at"]).execute();
  await schema
    .createTable("closings")
    .addColumn("service", "text", (column) => column.primaryKey())
    .addColumn("untilMs", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("leftGuilds")
    .addColumn("guildId", "text", (column) => column.primaryKey())
    .addColumn("leftAt", "bigint", (column) => column.notNull())
    .execute();
};
