// Guilds that the bot has left, until their data is erased.
import { expressionBuilder } from "kysely";
import { putIfAbsent } from "./row.ts";
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
    /** If the guild is already recorded, the earlier time is kept and `false` returned. */
    add: (guildId: string, leftAt: number) =>
      putIfAbsent(queries, "leftGuilds", { guildId, leftAt }, "guildId"),
    /** Returns those of `guildIds` that the bot has left. */
    async among(guildIds: readonly string[]): Promise<readonly string[]> {
      // The bot has left few guilds, and a process may have thousands, so the short list is read.
      const all = new Set(guildIds);
      const left = await queries.selectFrom("leftGuilds").select("guildId").execute();
      return left.map(({ guildId }) => guildId).filter((guildId) => all.has(guildId));
    },
    async remove(guildIds: readonly string[]): Promise<void> {
      if (guildIds.length > 0) {
        await queries.deleteFrom("leftGuilds").where("guildId", "in", guildIds).execute();
      }
    },
    /** Returns the guilds that the bot left at or before this time. */
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

// Boards, watches and accounts of a server are only used while the bot is in it.

/** A condition that is true for rows of a server that the bot has not left, and for rows without a server. */
export function isBotInGuild(guildId: "boards.guildId" | "watches.guildId" | "videoAccounts.guildId") {
  const eb = expressionBuilder<Schema, "boards" | "watches" | "videoAccounts">();
  const left = eb
    .selectFrom("leftGuilds")
    .select("leftGuilds.guildId")
    .whereRef("leftGuilds.guildId", "=", guildId);
  return eb.not(eb.exists(left));
}
