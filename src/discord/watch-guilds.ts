// Notifies of the servers that the bot is in, has joined and has left.
import { type Client, GatewayDispatchEvents, ShardClientUtil } from "discord.js";
import { z } from "zod";
import type { Log } from "../core/log.ts";
import type { Deletion, GuildTracker } from "../core/ports.ts";
import { createRuns } from "../core/runs.ts";
import type { GuildLeaver } from "./admission.ts";
import type { ListGuilds } from "./guild-list.ts";

/** `unavailable` is set where Discord has lost sight of a server that the bot is still in. */
const guildEvent = z.object({ id: z.string(), unavailable: z.boolean().optional() });
/** Names all servers of the shard, those that Discord has lost sight of included. */
const readyEvent = z.object({ guilds: z.array(guildEvent) });

export function watchGuilds(
  client: Client,
  {
    guilds,
    leaver,
    listGuilds,
    log,
  }: {
    readonly guilds: GuildTracker;
    readonly leaver: Pick<GuildLeaver, "checkAll" | "checkJoined">;
    readonly listGuilds: ListGuilds;
    readonly log: Log;
  },
) {
  // One after another: that a server leaves and comes back must not arrive the other way round.
  let notified = Promise.resolve();
  /** Servers that the bot is in, notified or not. Those of READY come once more, one by one. */
  const present = new Set<string>();
  /** Shards whose READY was handled: of others nobody knows yet which servers came back. */
  const knownShards = new Set<number>();
  /** Shards whose READY has come. */
  const readyShards = new Set<number>();

  const stopping = new AbortController();
  const erasing = createRuns(erase);

  function notify(act: () => Promise<void>): void {
    notified = notified.then(act).then(eraseSoon, (error: unknown) => {
      log.error({ error }, "server changes not recorded");
    });
  }

  /** Once more where anybody came or went meanwhile. */
  function eraseSoon(): void {
    void erasing.again();
  }

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

  /** Asks Discord, who does not always name all servers at once. */
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

  // Comes again where a session was lost: no other event reports what happened meanwhile.
  client.ws.on(GatewayDispatchEvents.Ready, (payload: unknown, shardId: number) => {
    const { data } = readyEvent.safeParse(payload);
    if (data !== undefined) {
      const ids = data.guilds.map(({ id }) => id);
      // More shards may have begun by the time at which this is recorded.
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
    /** Resolves when all events so far are handled, except for erasing, which may ask services. */
    notified: () => notified,
    /** Begins to erase what has waited long enough, of the shards of this process; goes on by itself. Never throws. */
    eraseDue: eraseSoon,
    /** Call it when another process has taken over the shard's servers. */
    forgetShard(shardId: number): void {
      knownShards.delete(shardId);
      readyShards.delete(shardId);
      forgetServers((guildId) => shardOf(guildId) === shardId);
    },
    /** Erases nothing more, and resolves when an erasure under way is done. */
    async stop(): Promise<void> {
      stopping.abort();
      await erasing.ended();
    },
  };
}

/** Of a message, of several, or of a channel with its own id alone. In a conversation there is no server. */
const deletionEvent = z.object({
  guild_id: z.string(),
  channel_id: z.string().optional(),
  id: z.string().optional(),
  ids: z.array(z.string()).optional(),
});

/** Listens from now on, to the raw events: discord.js leaves out messages that it does not remember. */
export function watchDeletions(client: Client, onDeleted: (deletion: Deletion) => void): void {
  const { MessageDelete, MessageDeleteBulk, ChannelDelete, ThreadDelete } = GatewayDispatchEvents;
  for (const event of [MessageDelete, MessageDeleteBulk, ChannelDelete, ThreadDelete] as const) {
    client.ws.on(event, (payload: unknown) => {
      const {
        guild_id: guildId,
        channel_id: channelId,
        id,
        ids,
      } = deletionEvent.safeParse(payload).data ?? {};
      const messageIds = ids ?? (id === undefined ? undefined : [id]);
      if (guildId !== undefined && channelId !== undefined && messageIds !== undefined) {
        onDeleted({ guildId, channelId, messageIds });
      } else if (guildId !== undefined && id !== undefined) {
        onDeleted({ guildId, channelId: id, messageIds: "all" });
      }
    });
  }
}
