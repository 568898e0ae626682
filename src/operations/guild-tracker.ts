// Erases the data of servers that the bot has left, but only after some days, because a kick may be a mistake. Until then,
// nobody there can unlink the server's video account or stop a publication. So the account cannot be used
// (`videos/video-accounts-table.ts`), and publications are cancelled. When the bot is back, people can publish them again.
import { type Clock, untilAborted } from "../core/clock.ts";
import { isUnlikelyLoss } from "../core/guilds.ts";
import type { Log } from "../core/log.ts";
import type { GuildRecordsTable } from "./guild-records-table.ts";
import type { LeftGuildsTable } from "../storage/left-guilds-table.ts";
import type { StoredData } from "../storage/owned-rows.ts";
import type { GuildPublications, GuildTracker } from "../core/ports.ts";

/** docs/hosting.md promises this. */
export const KEEP_LEFT_GUILD_MS = 7 * 24 * 3_600_000;

/** Precise enough to show which servers no longer use the bot, and needs only one write per server per hour. */
const RECORD_USE_EVERY_MS = 3_600_000;

/** If the video service cannot be reached for this long, a server's data is erased without waiting for it. */
const WAIT_FOR_SERVICE_MS = 4 * 24 * 3_600_000;

export function createGuildTracker(deps: {
  readonly database: Pick<StoredData, "guildIds" | "eraseGuild"> & {
    readonly leftGuilds: LeftGuildsTable;
    readonly guildRecords: Pick<GuildRecordsTable, "noteUse">;
  };
  /** Returns `undefined` if publishing is not set up. */
  readonly publications: () => GuildPublications | undefined;
  readonly clock: Clock;
  readonly log: Log;
}): GuildTracker {
  const { database, publications, clock, log } = deps;
  const { leftGuilds, guildRecords, eraseGuild } = database;
  const aheadMs = clock.now() - clock.elapsed();
  const recordedMs = new Map<string, number>();

  /** Never rejects: the erasure of a server must not depend on its publications. The next start notifies again. */
  async function notify(
    guildIds: readonly string[],
    act: (notified: GuildPublications) => Promise<void>,
  ): Promise<void> {
    const notified = publications();
    try {
      await (notified && act(notified));
    } catch (error) {
      log.error({ error, guilds: guildIds }, "publications not notified of servers");
    }
  }

  async function left(guildId: string): Promise<void> {
    if (await leftGuilds.add(guildId, clock.now())) {
      log.info({ guild: guildId }, "server left; data will be erased in 7 days");
    }
    await notify([guildId], (notified) => notified.left(guildId));
  }

  /** Removes the note that a server had left last, so that its people certainly get the offer to publish again. */
  async function returned(guildIds: readonly string[]): Promise<void> {
    const back = await leftGuilds.among(guildIds);
    // All servers, not only those in `back`: if an earlier notification failed, the note that the server had left is gone.
    await notify(back, (notified) => notified.returned(guildIds));
    await leftGuilds.remove(back);
  }

  return {
    left,
    used(guildId) {
      const nowMs = clock.now();
      if (Math.abs(nowMs - (recordedMs.get(guildId) ?? -Infinity)) < RECORD_USE_EVERY_MS) {
        return;
      }
      recordedMs.set(guildId, nowMs);
      guildRecords.noteUse(guildId, nowMs).catch((error: unknown) => {
        recordedMs.delete(guildId);
        log.warn({ error, guild: guildId }, "use of a server not recorded");
      });
    },
    present: returned,
    async presentOnly(guildIds, isOfShard, readMembership) {
      await returned(guildIds);
      const present = new Set(guildIds);
      const known = (await database.guildIds()).filter(isOfShard);
      const absent = known.filter((guildId) => !present.has(guildId));
      const before = await leftGuilds.among(absent);
      const news = absent.length - before.length;
      const isMany = isUnlikelyLoss(news, known.length - before.length);
      if (isMany) {
        log.warn({ missing: news }, "many servers missing; asking Discord again");
      }
      const isMember = isMany ? await readMembership() : () => false;
      for (const guildId of absent.filter((id) => !isMember(id))) {
        await left(guildId);
      }
    },
    async eraseDue(isGone, signal) {
      // An erasure cannot be undone, so a clock that was set ahead since the start does not count.
      const dueMs = Math.min(clock.now(), aheadMs + clock.elapsed()) - KEEP_LEFT_GUILD_MS;
      const overdue = new Set(await leftGuilds.leftBefore(dueMs - WAIT_FOR_SERVICE_MS));
      /** While other servers are erased, this one may come back, and even leave again. */
      const isStillDue = async (guildId: string): Promise<boolean> =>
        isGone(guildId) && (await leftGuilds.leftBefore(dueMs)).includes(guildId) && isGone(guildId);
      /** Whether none of the server's videos can still be published. */
      const isQuiet = async (guildId: string): Promise<boolean> =>
        overdue.has(guildId) || (await publications()?.erasing(guildId, () => isStillDue(guildId))) !== false;

      for (const guildId of await leftGuilds.leftBefore(dueMs)) {
        if (!(await isStillDue(guildId))) {
          continue;
        }
        signal.throwIfAborted();
        try {
          if ((await untilAborted(isQuiet(guildId), signal)) && (await isStillDue(guildId))) {
            await eraseGuild(guildId);
            log.info({ guild: guildId }, "server data erased");
          }
        } catch (error) {
          signal.throwIfAborted();
          log.error({ error, guild: guildId }, "erasure of a server failed");
        }
      }
    },
  };
}
