import type { Migration } from "../migrations.ts";

/** Watches of people and channels, and what each has reported on which day. */
export const watches: Migration = async (schema) => {
  await schema
    .createTable("watches")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("ownerId", "text", (column) => column.notNull())
    .addColumn("createdAtMs", "bigint", (column) => column.notNull())
    .addColumn("askedGuildId", "text")
    .addColumn("askedChannelId", "text")
    .addColumn("guildId", "text")
    .addColumn("channelId", "text")
    .addColumn("settings", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("pausedBecause", "text")
    .addColumn("stateAtMs", "bigint", (column) => column.notNull())
    .addColumn("nextAtMs", "bigint")
    .execute();
  // Due watches are queried every few seconds.
  await schema.createIndex("watchesByTime").on("watches").columns(["state", "nextAtMs"]).execute();
  await schema.createIndex("watchesByOwner").on("watches").column("ownerId").execute();
  await schema.createIndex("watchesByGuild").on("watches").column("guildId").execute();
  await schema
    .createTable("incidents")
    .addColumn("watchId", "text", (column) => column.notNull())
    .addColumn("day", "text", (column) => column.notNull())
    .addColumn("ownerId", "text", (column) => column.notNull())
    .addColumn("guildId", "text")
    .addColumn("revision", "integer", (column) => column.notNull())
    .addColumn("knowledge", "text", (column) => column.notNull())
    .addColumn("claimedUntilMs", "bigint")
    .addColumn("postingSinceMs", "bigint")
    .addColumn("channelId", "text")
    .addColumn("messageId", "text")
    .addColumn("shownHash", "text")
    .addColumn("closedAtMs", "bigint")
    .addPrimaryKeyConstraint("incidentsKey", ["watchId", "day"])
    .execute();
};
