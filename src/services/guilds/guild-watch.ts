// Servers that the bot is no longer in: what is kept of them is erased, but not at once, since a kick may be a mistake.
// Only the video account that a server linked goes at once: nobody there could unlink it any more.
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Database } from "../../storage/database.ts";
import type { GuildWatch } from "../ports.ts";

/** What a watch stands on. */
export interface GuildWatchDependencies {
  readonly database: Pick<Database, "leftGuilds" | "videoAccounts" | "guildIds" | "eraseGuild">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Promised in docs/hosting.md. */
export const KEEP_LEFT_GUILD_MS = 7 * 24 * 3_600_000;

/** Makes a watch over one process's servers. */
export function createGuildWatch({ database, clock, log }: GuildWatchDependencies): GuildWatch {
  const { leftGuilds, videoAccounts, eraseGuild } = database;

  async function left(guildId: string): Promise<void> {
    // Whether or not it is known already: one may have been linked in the very moment of leaving.
    if (await videoAccounts.remove(guildId)) {
      log.info({ guild: guildId }, "the video account of a server that left was erased");
    }
    if (await leftGuilds.add(guildId, clock.now())) {
      log.info({ guild: guildId }, "the bot left a server; what is kept of it will be erased in 7 days");
    }
  }

  return {
    left,
    present: (guildIds) => leftGuilds.remove(guildIds),
    async presentOnly(guildIds, isOfShard) {
      await leftGuilds.remove(guildIds);
      const present = new Set(guildIds);
      const known = await database.guildIds();
      for (const guildId of known.filter((id) => isOfShard(id) && !present.has(id))) {
        await left(guildId);
      }
    },
    async eraseDue(isOurs) {
      const due = await leftGuilds.leftBefore(clock.now() - KEEP_LEFT_GUILD_MS);
      for (const guildId of due.filter(isOurs)) {
        await eraseGuild(guildId);
        log.info({ guild: guildId }, "everything kept of a server that left was erased");
      }
    },
  };
}
