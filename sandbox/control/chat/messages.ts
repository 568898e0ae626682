// A channel's messages as one member sees them.
import { PermissionFlagsBits } from "discord-api-types/v10";
import { isVisibleTo, seeMessage } from "../../discord/actors/see.ts";
import type { Channel, Message, User } from "../../discord/entities.ts";
import { channelPermissions, hasPermissions } from "../../discord/permissions.ts";
import type { Platform } from "../../discord/platform.ts";
import type { ChatMessage } from "./api.ts";

/** An answer to the entry of a message's menu. */
const MENU_ANSWER = 23;

/** Oldest first; with `ids` only these, those that are gone or hidden left out. */
export function formatMessages(
  platform: Platform,
  channel: Channel,
  user: User,
  ids: readonly string[] | undefined,
): ChatMessage[] {
  const wanted =
    ids === undefined ? [...channel.messages.values()] : ids.flatMap((id) => channel.messages.get(id) ?? []);
  return wanted
    .filter((message) => isVisibleTo(message, user.id))
    .map((message) => formatMessage(platform, channel, message, user));
}

/** Whether a member may take a message away: their own, or anybody's for those who manage messages. */
export function mayDelete(platform: Platform, channel: Channel, message: Message, userId: string): boolean {
  const guild = platform.state.guilds.get(channel.guildId ?? "");
  return (
    message.visibleTo === undefined &&
    (message.authorId === userId ||
      (guild !== undefined &&
        hasPermissions(channelPermissions(guild, channel, userId), PermissionFlagsBits.ManageMessages)))
  );
}

function formatMessage(platform: Platform, channel: Channel, message: Message, user: User): ChatMessage {
  const { origin, kind, forwarded } = message;
  const command = origin?.commandName;
  return {
    ...seeMessage(platform, message),
    used:
      origin === undefined || command === undefined
        ? undefined
        : { userId: origin.userId, command: kind === MENU_ANSWER ? command : `/${command}` },
    interactionId: origin?.interactionId,
    forwarded: forwarded === undefined ? undefined : seeMessage(platform, forwarded),
    mayDelete: mayDelete(platform, channel, message, user.id),
  };
}
