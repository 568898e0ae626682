// What the bot itself may do in a channel.
import { PermissionFlagsBits } from "discord-api-types/v10";
import type { Channel, Message } from "../entities.ts";
import { refusal } from "../errors.ts";
import { canSee, channelPermissions, hasPermissions } from "../permissions.ts";
import type { Platform } from "../platform.ts";
import { channelOf, messageOf } from "../state.ts";

/** A channel that the bot sees. Throws 10003, 50001. */
export function visibleChannel(platform: Platform, channelId: string): Channel {
  const channel = channelOf(platform.state, channelId);
  const guild = channel.guildId === undefined ? undefined : platform.state.guilds.get(channel.guildId);
  if (!canSee(guild, channel, platform.state.application.id)) {
    throw refusal("missingAccess");
  }
  return channel;
}

/** Throws 50013 where the bot lacks any of these bits in the channel. */
export function requireBotPermissions(
  platform: Platform,
  channel: Channel,
  ...wanted: readonly (keyof typeof PermissionFlagsBits)[]
): void {
  const guild = channel.guildId === undefined ? undefined : platform.state.guilds.get(channel.guildId);
  const granted = channelPermissions(guild, channel, platform.state.application.id);
  if (!wanted.every((name) => hasPermissions(granted, PermissionFlagsBits[name]))) {
    throw refusal("missingPermissions");
  }
}

/** A message that stands in the channel for all. Throws 10008, for ephemeral ones too. */
export function publicMessage(channel: Channel, messageId: string): Message {
  const message = messageOf(channel, messageId);
  if (message.visibleTo !== undefined) {
    throw refusal("unknownMessage");
  }
  return message;
}
