// The bot's own permissions in a channel.
import { ChannelType } from "discord-api-types/v10";
import type { Channel, Guild, Message } from "../entities.ts";
import { refusal } from "../errors.ts";
import { canSee, isAllowed, isTimedOut, type Permission } from "../permissions.ts";
import type { Platform } from "../platform.ts";
import { channelOf, guildAround, guildOf, messageOf } from "../state.ts";

/** A channel that the bot sees. Throws 10003, 50001. */
export function visibleChannel(platform: Platform, channelId: string): Channel {
  const channel = channelOf(platform.state, channelId);
  if (!canSee(platform.state, channel, platform.state.application.id)) {
    throw refusal("missingAccess");
  }
  return channel;
}

/** A guild that the application is in. Throws 10004, 50001. */
export function joinedGuild(platform: Platform, guildId: string): Guild {
  const guild = guildOf(platform.state, guildId);
  if (!guild.members.has(platform.state.application.id)) {
    throw refusal("missingAccess");
  }
  return guild;
}

/** Throws 50013 if the bot lacks the permission in the channel. While it is timed out, it can only see and read. */
export function requireBotPermissions(
  { state, clock }: Platform,
  channel: Channel,
  wanted: Permission,
): void {
  const botId = state.application.id;
  const guild = guildAround(state, channel);
  const isSilenced =
    wanted !== "ReadMessageHistory" && guild !== undefined && isTimedOut(guild, botId, clock.now());
  if (isSilenced || !isAllowed(state, channel, botId, wanted)) {
    throw refusal("missingPermissions");
  }
}

/** Throws 50008 for a forum, which accepts only threads, and 50007 for a person who accepts no direct messages. */
export function requirePlaceToWrite({ state }: Platform, channel: Channel): void {
  if (channel.kind === ChannelType.GuildForum) {
    throw refusal("notInThisChannel");
  }
  if (channel.guildId === undefined && channel.recipientIds.some((id) => state.closedDirects.has(id))) {
    throw refusal("cannotMessageUser");
  }
}

/** Throws 160002 if the bot may not read the message that it replies to. */
export function requireHistoryForReply({ state }: Platform, channel: Channel): void {
  if (!isAllowed(state, channel, state.application.id, "ReadMessageHistory")) {
    throw refusal("noReplyWithoutHistory");
  }
}

/** A message that everyone in the channel sees. Throws 10008, also for ephemeral ones. */
export function publicMessage(channel: Channel, messageId: string): Message {
  const message = messageOf(channel, messageId);
  if (message.visibleTo !== undefined) {
    throw refusal("unknownMessage");
  }
  return message;
}
