import type { Migration } from "../migrations.ts";

/** When each server last used the bot, and the servers that the owner has blocked. */
export const owner: Migration = async (schema) => {
  await schema
    .createTable("guildUses")
    .addColumn("guildId", "text", (column) => column.primaryKey())
    .addColumn("lastUsedAt", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("blockedGuilds")
    .addColumn("guildId", "text", (column) => column.primaryKey())
    .addColumn("name", "text")
    .addColumn("blockedAt", "bigint", (column) => column.notNull())
    .execute();
};
