import type { Migration } from "../migrations.ts";

/** Boards of channels, their questions, when their messages were published, and the lease for ticks. */
export const boards: Migration = async (schema) => {
  await schema
    .createTable("boards")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("guildId", "text", (column) => column.notNull())
    .addColumn("channelId", "text", (column) => column.notNull())
    .addColumn("createdBy", "text")
    .addColumn("createdAtMs", "bigint", (column) => column.notNull())
    .addColumn("settings", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("pausedBecause", "text")
    .addColumn("stateAtMs", "bigint", (column) => column.notNull())
    .addColumn("changes", "text")
    .addColumn("nextSlotMs", "bigint")
    .addColumn("claimedSlotMs", "bigint")
    .addColumn("claimedUntilMs", "bigint")
    .addColumn("messageId", "text")
    .addColumn("messageSlotMs", "bigint")
    .addColumn("shownHash", "text")
    .addColumn("shownDataMs", "bigint")
    .addColumn("lastSentMs", "bigint")
    .addColumn("missed", "integer", (column) => column.notNull())
    .addColumn("lastMissedMs", "bigint")
    .execute();
  // Due boards are queried every few seconds.
  await schema.createIndex("boardsBySlot").on("boards").columns(["state", "nextSlotMs"]).execute();
  await schema.createIndex("boardsByClaim").on("boards").columns(["state", "claimedUntilMs"]).execute();
  await schema.createIndex("boardsByGuild").on("boards").column("guildId").execute();
  await schema
    .createTable("boardQuestions")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("askedAtMs", "bigint")
    .addColumn("interestAtMs", "bigint")
    .execute();
  await schema
    .createTable("leases")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("holder", "text", (column) => column.notNull())
    .addColumn("untilMs", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("publishings")
    .addColumn("channelId", "text", (column) => column.notNull())
    .addColumn("guildId", "text", (column) => column.notNull())
    .addColumn("atMs", "bigint", (column) => column.notNull())
    .execute();
  await schema.createIndex("publishingsByTime").on("publishings").columns(["channelId", "atMs"]).execute();
};
