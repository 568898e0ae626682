// What a member may do with an existing message.
import { PermissionFlagsBits } from "discord-api-types/v10";
import type { Channel, Message } from "../entities.ts";
import { refusal } from "../errors.ts";
import { channelPermissions, hasPermissions } from "../permissions.ts";
import type { Platform } from "../platform.ts";
import { parseMessageForm } from "../validate/message.ts";
import { deleteMessage, editMessage } from "./messages.ts";
import { refuseArchived } from "./threads.ts";

/** A member, a message and its channel. */
export interface MessageTouch {
  readonly channel: Channel;
  readonly message: Message;
  readonly userId: string;
}

/** Nobody may edit another person's message, whatever their role. */
export function mayEdit({ message, userId }: MessageTouch): boolean {
  return message.authorId === userId && message.visibleTo === undefined;
}

/** One's own; in guilds, with the permission to manage messages, anyone's. */
export function mayDelete(platform: Platform, { channel, message, userId }: MessageTouch): boolean {
  const guild = platform.state.guilds.get(channel.guildId ?? "");
  return (
    message.visibleTo === undefined &&
    (message.authorId === userId ||
      (guild !== undefined &&
        hasPermissions(channelPermissions(guild, channel, userId), PermissionFlagsBits.ManageMessages)))
  );
}

/** Its files remain. Throws 50005 for another person's message, 50006, 50035, 50083. */
export function editAsMember(platform: Platform, touch: MessageTouch, text: string): Message {
  if (!mayEdit(touch)) {
    throw refusal("notTheAuthor");
  }
  refuseArchived(platform, touch.channel);
  return editMessage(platform, touch.message, { form: parseMessageForm({ content: text }), files: [] });
}

/** Throws 50013 for another person's message without the permission, 50083. */
export function deleteAsMember(platform: Platform, touch: MessageTouch): void {
  if (!mayDelete(platform, touch)) {
    throw refusal("missingPermissions");
  }
  refuseArchived(platform, touch.channel);
  deleteMessage(platform, touch.channel, touch.message);
}
