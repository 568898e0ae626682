// The servers that the application's owner has blocked: kept in the database, and in memory for the check of each
// interaction.
import type { Clock } from "../core/clock.ts";
import type { BlockedGuilds } from "../core/ports.ts";
import type { GuildRecordsTable } from "./guild-records-table.ts";

export type BlockList = ReturnType<typeof createBlockList>;

export function createBlockList({
  table,
  clock,
}: {
  readonly table: Pick<GuildRecordsTable, "block" | "unblock" | "blocked">;
  readonly clock: Clock;
}) {
  let ids: ReadonlySet<string> = new Set();

  const blocks: BlockedGuilds = {
    has: (guildId) => ids.has(guildId),
    async load() {
      ids = new Set((await table.blocked()).map(({ guildId }) => guildId));
    },
  };
  return {
    ...blocks,
    list: () => table.blocked(),
    async block(guild: { readonly id: string; readonly name: string }): Promise<void> {
      await table.block({ guildId: guild.id, name: guild.name, blockedAt: clock.now() });
      await blocks.load();
    },
    async unblock(guildId: string): Promise<void> {
      await table.unblock(guildId);
      await blocks.load();
    },
  };
}
