// What features learn from the client's connection: its servers and channels, its latency, and deletions.
import { type Client, GatewayDispatchEvents } from "discord.js";
import { z } from "zod";
import type { Connection, Deletion } from "../core/ports.ts";
import { type GuildListDependencies, createGuildList, hasAllShards } from "./guild-list.ts";

export function createConnection(
  client: Client,
  deps: Omit<GuildListDependencies, "local" | "isWhole">,
): Connection {
  return {
    latencyMs: () => readLatencyMs(client),
    guildCount: () => client.guilds.cache.size,
    guilds: createGuildList({
      ...deps,
      // discord.js does not know the name of a server that has been unavailable since the start.
      local: () =>
        client.guilds.cache.map(({ id, name, memberCount }) => ({ id, name: name || id, memberCount })),
      isWhole: () => hasAllShards(client),
    }),
    channelName(channelId) {
      const channel = client.channels.cache.get(channelId);
      return channel === undefined || channel.isDMBased() ? undefined : channel.name;
    },
    onDeleted: (listener) => watchDeletions(client, listener),
  };
}

export function readLatencyMs(client: Client): number | undefined {
  const pings = client.ws.shards.map(({ ping }) => ping).filter((ping) => ping >= 0);
  return pings.length === 0
    ? undefined
    : Math.round(pings.reduce((sum, ping) => sum + ping, 0) / pings.length);
}

/**
 * The deletion of one message, of several, or of a channel, which has only an `id`. DMs do not match: they have no
 * server.
 */
const deletionEvent = z.object({
  guild_id: z.string(),
  channel_id: z.string().optional(),
  id: z.string().optional(),
  ids: z.array(z.string()).optional(),
});

/** Listens to the raw events, because discord.js leaves out messages that it has not cached. */
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
