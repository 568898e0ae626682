import { ChannelType } from "discord-api-types/v10";
import type { Channel, Guild } from "./entities.ts";
import type { Platform } from "./platform.ts";

/** Removes the bot from a guild, or makes the guild unavailable. */
export function removeGuild(
  { state, changes }: Platform,
  guild: Guild,
  { unavailable = false }: { readonly unavailable?: boolean } = {},
): void {
  if (!unavailable) {
    guild.members.delete(state.application.id);
  }
  changes.emit({ type: "guild-left", guild, unavailable });
}

export function createChannel(
  { state, ids }: Platform,
  details: Partial<Channel> & Pick<Channel, "kind" | "guildId" | "name">,
): Channel {
  const channel = {
    id: ids.next(),
    position: 0,
    overwrites: [],
    recipientIds: [],
    thread: undefined,
    messages: new Map(),
    ...details,
  };
  state.channels.set(channel.id, channel);
  return channel;
}

/** The direct channel between the bot and a user, created at first use. */
export function openDirectChannel(platform: Platform, userId: string): Channel {
  const { state, changes } = platform;
  const known = state.directChannels.get(userId);
  if (known !== undefined) {
    return known;
  }
  const name = state.users.get(userId)?.displayName ?? userId;
  const recipientIds = [userId, state.application.id];
  const channel = createChannel(platform, { kind: ChannelType.DM, guildId: undefined, name, recipientIds });
  state.directChannels.set(userId, channel);
  changes.emit({ type: "channel-created", channel });
  return channel;
}
