import type { Migration } from "../migrations.ts";

/** Publications of videos, the accounts that guilds linked, and related data. */
export const videos: Migration = async (schema) => {
  await schema
    .createTable("publications")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("guildId", "text", (column) => column.notNull())
    .addColumn("channelId", "text", (column) => column.notNull())
    .addColumn("messageId", "text")
    .addColumn("postingSinceMs", "bigint")
    .addColumn("shownHash", "text")
    .addColumn("approvalChannelId", "text")
    .addColumn("approvalMessageId", "text")
    .addColumn("approvalShownHash", "text")
    .addColumn("submittedBy", "text")
    .addColumn("createdAtMs", "bigint", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("stateAtMs", "bigint", (column) => column.notNull())
    .addColumn("revision", "integer", (column) => column.notNull())
    .addColumn("account", "text", (column) => column.notNull())
    .addColumn("title", "text")
    .addColumn("description", "text")
    .addColumn("publishAtMs", "bigint")
    .addColumn("fileName", "text", (column) => column.notNull())
    .addColumn("fileType", "text", (column) => column.notNull())
    .addColumn("sizeBytes", "bigint", (column) => column.notNull())
    .addColumn("fileUrl", "text")
    .addColumn("linkEndsAtMs", "bigint", (column) => column.notNull())
    .addColumn("doneBytes", "bigint", (column) => column.notNull())
    // The service may return fractions.
    .addColumn("percent", "double precision")
    .addColumn("session", "text")
    .addColumn("pendingWrite", "text")
    .addColumn("pendingSinceMs", "bigint")
    .addColumn("nextAtMs", "bigint")
    .addColumn("claimedUntilMs", "bigint")
    .addColumn("videoId", "text")
    .addColumn("link", "text")
    .addColumn("problem", "text")
    .addColumn("decidedBy", "text")
    .addColumn("refusedReason", "text")
    .execute();
  // Due publications are queried every few seconds.
  await schema.createIndex("publicationsByTime").on("publications").column("nextAtMs").execute();
  await schema
    .createIndex("publicationsByGuild")
    .on("publications")
    .columns(["guildId", "createdAtMs"])
    .execute();
  await schema.createIndex("publicationsByVideo").on("publications").column("videoId").execute();
  await schema
    .createIndex("publicationsByState")
    .on("publications")
    .columns(["state", "stateAtMs"])
    .execute();
  await schema
    .createTable("videoAccounts")
    .addColumn("guildId", "text", (column) => column.primaryKey())
    .addColumn("accountId", "text", (column) => column.notNull())
    .addColumn("name", "text")
    .addColumn("sealedToken", "text", (column) => column.notNull())
    .addColumn("missing", "text", (column) => column.notNull())
    .addColumn("linkedBy", "text")
    .addColumn("linkedAtMs", "bigint", (column) => column.notNull())
    .addColumn("endsAtMs", "bigint")
    .addColumn("brokenBecause", "text")
    .addColumn("checkedAtMs", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("videoSettings")
    .addColumn("guildId", "text", (column) => column.primaryKey())
    .addColumn("settings", "text", (column) => column.notNull())
    .execute();
  await schema
    .createTable("videoActs")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("guildId", "text", (column) => column.notNull())
    .addColumn("atMs", "bigint", (column) => column.notNull())
    .addColumn("actorId", "text")
    .addColumn("act", "text", (column) => column.notNull())
    .addColumn("publicationId", "text")
    .addColumn("videoId", "text")
    .addColumn("note", "text")
    .execute();
  await schema.createIndex("videoActsByGuild").on("videoActs").columns(["guildId", "atMs"]).execute();
  await schema
    .createTable("videoSamples")
    .addColumn("guildId", "text", (column) => column.notNull())
    .addColumn("videoId", "text", (column) => column.notNull())
    .addColumn("atMs", "bigint", (column) => column.notNull())
    // Counts may exceed 32 bits, and a service that returns a fraction must not stop the sampling.
    .addColumn("views", "double precision")
    .addColumn("likes", "double precision")
    .addColumn("comments", "double precision")
    .addColumn("shares", "double precision")
    .addPrimaryKeyConstraint("videoSamplesKey", ["guildId", "videoId", "atMs"])
    .execute();
  await schema.createIndex("videoSamplesByTime").on("videoSamples").column("atMs").execute();
};
