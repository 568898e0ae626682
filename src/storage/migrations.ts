// Every change to the database, oldest first. A released migration is never edited; a further change is a new entry. A
// migration's number is its position in the list. During an upgrade, processes of the version before still use the
// tables: a new column must allow null or have a default, and nothing that they use may be renamed or removed.
import { type SchemaModule, sql } from "kysely";
import { videos } from "./migrations/5-videos.ts";
import { publicationColumns } from "./migrations/8-publication-columns.ts";
import type { Queries } from "./schema.ts";

/** One migration. It runs inside a transaction, on SQLite and on PostgreSQL. */
export type Migration = (schema: SchemaModule, transaction: Queries) => Promise<void>;

/** Calls that count against the services' plans, and the guilds whose data waits to be erased. */
const spending: Migration = async (schema) => {
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

/** Boards of channels, their questions, when their messages were published, and the lease for ticks. */
const boards: Migration = async (schema) => {
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

/** Watches of people and channels, and what each has reported on which day. */
const watches: Migration = async (schema) => {
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

/** Previews of styles, so that a restart does not pay for them again. */
const stylePreviews: Migration = async (schema) => {
  await schema
    .createTable("stylePreviews")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("contentType", "text", (column) => column.notNull())
    .addColumn("width", "integer", (column) => column.notNull())
    .addColumn("height", "integer", (column) => column.notNull())
    // Base64, because the two engines have no common type for bytes. A preview takes about 50 kB.
    .addColumn("picture", "text", (column) => column.notNull())
    .execute();
};

/**
 * Ensures that no two publications of an account have the same video. Where people caused duplicates before, the one
 * that was created last keeps the video; the older one, which is finished anyway, loses it.
 */
const oneVideoEach: Migration = async (schema, transaction) => {
  await sql`
    update publications set "videoId" = null
    where exists (
      select 1 from publications as other
      where other."account" = publications."account"
        and other."videoId" = publications."videoId"
        and (other."createdAtMs" > publications."createdAtMs"
          or (other."createdAtMs" = publications."createdAtMs" and other."id" > publications."id"))
    )`.execute(transaction);
  await schema
    .createIndex("publicationsByAccountAndVideo")
    .unique()
    .on("publications")
    .columns(["account", "videoId"])
    .execute();
};

/** Claims of publications, and facts about the whole database, such as the application that it belongs to. */
const claims: Migration = async (schema) => {
  await schema.alterTable("publications").addColumn("claimToken", "text").execute();
  await schema
    .createTable("facts")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("value", "text", (column) => column.notNull())
    .execute();
};

/** When each server last used the bot, and the servers that the owner has blocked. */
const owner: Migration = async (schema) => {
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

/** For whom each call was made (unknown for older calls), and how many calls of a plan the boards want. */
const shares: Migration = async (schema) => {
  await schema.alterTable("spending").addColumn("purpose", "text").execute();
  await schema.alterTable("closings").addColumn("boardsWant", "integer").execute();
};

/** When approval was last requested again. Each time, approvers get a new message. */
const approvalRounds: Migration = async (schema) => {
  await schema.alterTable("publications").addColumn("approvalAskedAtMs", "bigint").execute();
};

/** The outcomes of a board's last slots, as JSON. */
const boardHistory: Migration = async (schema) => {
  await schema.alterTable("boards").addColumn("history", "text").execute();
};

/** Recent erasures, which are repeated after an older backup is restored. */
const erasures: Migration = async (schema) => {
  await schema
    .createTable("erasures")
    .addColumn("guildId", "text", (column) => column.unique())
    .addColumn("userId", "text", (column) => column.unique())
    .addColumn("atMs", "bigint", (column) => column.notNull())
    .execute();
};

/** People's recent choices for options of commands, e.g. stations, which come first in their lists. */
const recentChoices: Migration = async (schema) => {
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

/** A shard's lease stores its gateway session, which the next process resumes. */
const shardSessions: Migration = async (schema) => {
  await schema.alterTable("leases").addColumn("session", "text").execute();
};

/** The first entry is version 1. */
export const MIGRATIONS: readonly Migration[] = [
  spending,
  boards,
  watches,
  stylePreviews,
  videos,
  oneVideoEach,
  claims,
  publicationColumns,
  owner,
  shares,
  approvalRounds,
  boardHistory,
  erasures,
  recentChoices,
  shardSessions,
];
