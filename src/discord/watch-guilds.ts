import { type Client, GatewayDispatchEvents, ShardClientUtil } from "discord.js";
import { z } from "zod";
import type { Log } from "../core/log.ts";
import type { GuildTracker } from "../core/ports.ts";
import { createRuns } from "../core/runs.ts";
import type { GuildLeaver } from "./admission.ts";
import type { ListGuilds } from "./connection.ts";

/** `unavailable` is set if a server has an outage; the bot is still in it. */
const guildEvent = z.object({ id: z.string(), unavailable: z.boolean().optional() });
/** Lists all servers of the shard, including those with an outage. */
const readyEvent = z.object({ guilds: z.array(guildEvent) });

export function watchGuilds(
  client: Client,
  deps: {
    readonly guilds: GuildTracker;
    readonly leaver: Pick<GuildLeaver, "checkAll" | "checkJoined">;
    readonly listGuilds: ListGuilds;
    readonly log: Log;
  },
) {
  const { guilds, leaver, listGuilds, log } = deps;
  // One after another, so that leaving and rejoining a server are never reported in the wrong order.
  let notified = Promise.resolve();
  /** Servers that the bot is in, reported or not. Those of READY are announced again, one by one. */
  const present = new Set<string>();
  /** Shards whose READY was handled. For other shards, it is not known yet which servers came back. */
  const knownShards = new Set<number>();
  /** Shards whose READY has arrived. */
  const readyShards = new Set<number>();

  const stopping = new AbortController();
  const erasing = createRuns(erase);

  function notify(act: () => Promise<void>): void {
    notified = notified.then(act).then(eraseSoon, (error: unknown) => {
      log.error({ error }, "server changes not recorded");
    });
  }

  /** Starts an erasure. If one is under way, another follows it, because servers may have come or gone since. */
  const eraseSoon = (): void => void erasing.again();

  async function erase(): Promise<void> {
    try {
      if (!stopping.signal.aborted) {
        await guilds.eraseDue(isGone, stopping.signal);
      }
    } catch (error) {
      if (!stopping.signal.aborted) {
        log.error({ error }, "erasure of servers failed");
      }
    }
  }

  function isGone(guildId: string): boolean {
    return knownShards.has(shardOf(guildId)) && !present.has(guildId) && !stopping.signal.aborted;
  }

  /** Asks Discord for the list: READY does not always name all servers. If it is incomplete, every server counts. */
  async function isMember(): Promise<(guildId: string) => boolean> {
    const { guilds: listed, isWhole } = await listGuilds();
    const listedIds = new Set(listed.map(({ id }) => id));
    return (guildId) => !isWhole || listedIds.has(guildId);
  }

  const shardCount = (): number => client.options.shardCount ?? client.ws.shards.size;
  const shardOf = (guildId: string, count = shardCount()): number =>
    ShardClientUtil.shardIdForGuildId(guildId, count);

  function forgetServers(isOfShard: (guildId: string) => boolean): void {
    for (const id of [...present].filter(isOfShard)) {
      present.delete(id);
    }
  }

  // READY arrives again if a session was lost: no other event reports what happened in the meantime.
  client.ws.on(GatewayDispatchEvents.Ready, (payload: unknown, shardId: number) => {
    const { data } = readyEvent.safeParse(payload);
    if (data !== undefined) {
      const ids = data.guilds.map(({ id }) => id);
      // There may be more shards by the time that this is recorded.
      const count = shardCount();
      const isOfShard = (guildId: string): boolean => shardOf(guildId, count) === shardId;
      forgetServers(isOfShard);
      for (const id of ids) {
        present.add(id);
      }
      readyShards.add(shardId);
      if (readyShards.size >= client.ws.shards.size) {
        leaver.checkAll([...present]);
      }
      notify(async () => {
        await guilds.presentOnly(ids, isOfShard, isMember);
        if (shardCount() === count) {
          knownShards.add(shardId);
        }
      });
    }
  });
  client.ws.on(GatewayDispatchEvents.GuildDelete, (payload: unknown) => {
    const { data } = guildEvent.safeParse(payload);
    if (data !== undefined && data.unavailable !== true) {
      present.delete(data.id);
      notify(() => guilds.left(data.id));
    }
  });
  client.ws.on(GatewayDispatchEvents.GuildCreate, (payload: unknown) => {
    const { data } = guildEvent.safeParse(payload);
    if (data !== undefined && !present.has(data.id)) {
      present.add(data.id);
      void leaver.checkJoined(data.id);
      notify(() => guilds.present([data.id]));
    }
  });
  return {
    /** Resolves when all events so far are handled, except for erasures, which may ask services. */
    notified: () => notified,
    /** Begins to erase the servers of this process's shards that have waited long enough, in the background. Never throws. */
    eraseDue: eraseSoon,
    /** Call it when another process has taken over the shard's servers. */
    forgetShard(shardId: number): void {
      knownShards.delete(shardId);
      readyShards.delete(shardId);
      forgetServers((guildId) => shardOf(guildId) === shardId);
    },
    /** Erases nothing more. Resolves when the erasure under way is done. */
    async stop(): Promise<void> {
      stopping.abort();
      await erasing.ended();
    },
  };
}
