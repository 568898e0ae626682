// When each server last used the bot, and the servers that the application's owner has blocked.
import { type Row, put, putIfAbsent, readRows, toRow } from "../storage/row.ts";
import type { Queries } from "../storage/schema.ts";

declare module "../storage/schema.ts" {
  interface Schema {
    readonly guildUses: GuildUse;
    readonly blockedGuilds: Row<BlockedGuild>;
  }
}

interface GuildUse {
  readonly guildId: string;
  readonly lastUsedAt: number;
}

export interface BlockedGuild {
  readonly guildId: string;
  /** The server's name when it was blocked; `undefined` after the server's data was erased. */
  readonly name: string | undefined;
  readonly blockedAt: number;
}

export type GuildRecordsTable = ReturnType<typeof createGuildRecordsTable>;

export function createGuildRecordsTable(queries: Queries) {
  return {
    noteUse: (guildId: string, lastUsedAt: number) =>
      put(queries, "guildUses", { guildId, lastUsedAt }, "guildId"),
    async lastUses(): Promise<ReadonlyMap<string, number>> {
      const rows = await queries.selectFrom("guildUses").selectAll().execute();
      return new Map(rows.map(({ guildId, lastUsedAt }) => [guildId, lastUsedAt]));
    },
    async block(guild: BlockedGuild): Promise<void> {
      await putIfAbsent(queries, "blockedGuilds", toRow(guild), "guildId");
    },
    async unblock(guildId: string): Promise<void> {
      await queries.deleteFrom("blockedGuilds").where("guildId", "=", guildId).execute();
    },
    /** The blocked servers; the latest block comes first. */
    blocked: () =>
      readRows<BlockedGuild>(queries.selectFrom("blockedGuilds").selectAll().orderBy("blockedAt", "desc")),
  };
}
