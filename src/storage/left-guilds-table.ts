// Guilds that the bot is no longer in, until what is kept of them is erased.
import { expressionBuilder } from "kysely";
import type { Queries, Schema } from "./schema.ts";

declare module "./schema.ts" {
  interface Schema {
    readonly leftGuilds: LeftGuildRow;
  }
}

interface LeftGuildRow {
  readonly guildId: string;
  readonly leftAt: number;
}

export type LeftGuildsTable = ReturnType<typeof createLeftGuildsTable>;

export function createLeftGuildsTable(queries: Queries) {
  return {
    /** Remembers that a guild left; of several times the first one counts, and the others return `false`. */
    async add(guildId: string, leftAt: number): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await queries
        .insertInto("leftGuilds")
        .values({ guildId, leftAt })
        .onConflict((conflict) => conflict.column("guildId").doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },
    /** Those of these that left. */
    async among(guildIds: readonly string[]): Promise<readonly string[]> {
      // Few have left, and a process may look after thousands: the short list is searched for the long one.
      const all = new Set(guildIds);
      const left = await queries.selectFrom("leftGuilds").select("guildId").execute();
      return left.map(({ guildId }) => guildId).filter((guildId) => all.has(guildId));
    },
    /** Forgets that these left: they are back. */
    async remove(guildIds: readonly string[]): Promise<void> {
      if (guildIds.length > 0) {
        await queries.deleteFrom("leftGuilds").where("guildId", "in", guildIds).execute();
      }
    },
    /** Those that left at this moment or before. */
    async leftBefore(atMs: number): Promise<readonly string[]> {
      const rows = await queries
        .selectFrom("leftGuilds")
        .select("guildId")
        .where("leftAt", "<=", atMs)
        .orderBy("leftAt")
        .execute();
      return rows.map(({ guildId }) => guildId);
    },
  };
}

// What runs in servers runs only where the bot is.

/** Holds for rows of a server that the bot has not left, and for those of no server. */
export function isBotInGuild(guildId: "boards.guildId" | "watches.guildId" | "videoAccounts.guildId") {
  const eb = expressionBuilder<Schema, "boards" | "watches" | "videoAccounts">();
  const left = eb
    .selectFrom("leftGuilds")
    .select("leftGuilds.guildId")
    .whereRef("leftGuilds.guildId", "=", guildId);
  return eb.not(eb.exists(left));
}
