// Tells what is deleted in the servers that the bot is in. Only ids are told: what stood there is remembered by nobody.
import { GatewayDispatchEvents, type Client } from "discord.js";
import { z } from "zod";
import type { Deletion } from "../core/ports.ts";

/** In a conversation there is no server. */
const ofGuild = z.object({ guild_id: z.string() });
const oneMessage = ofGuild.extend({ id: z.string(), channel_id: z.string() });
const manyMessages = ofGuild.extend({ ids: z.array(z.string()), channel_id: z.string() });
const wholeChannel = ofGuild.extend({ id: z.string() });

/** Of each event that tells of deletions, what was deleted. */
const READERS = {
  [GatewayDispatchEvents.MessageDelete]: oneMessage.transform((event): Deletion => ({
    guildId: event.guild_id,
    channelId: event.channel_id,
    messageIds: [event.id],
  })),
  [GatewayDispatchEvents.MessageDeleteBulk]: manyMessages.transform((event): Deletion => ({
    guildId: event.guild_id,
    channelId: event.channel_id,
    messageIds: event.ids,
  })),
  [GatewayDispatchEvents.ChannelDelete]: wholeChannel.transform((event): Deletion => ({
    guildId: event.guild_id,
    channelId: event.id,
    messageIds: "all",
  })),
  [GatewayDispatchEvents.ThreadDelete]: wholeChannel.transform((event): Deletion => ({
    guildId: event.guild_id,
    channelId: event.id,
    messageIds: "all",
  })),
} as const;

/** Listens from now on, to the raw events: discord.js leaves out messages that it does not remember. */
export function watchDeletions(client: Client, tell: (deletion: Deletion) => void): void {
  for (const [event, reader] of Object.entries(READERS)) {
    // `Object.entries` forgets that the keys are names of events.
    client.ws.on(event as keyof typeof READERS, (payload: unknown) => {
      const { data } = reader.safeParse(payload);
      if (data !== undefined) {
        tell(data);
      }
    });
  }
}
