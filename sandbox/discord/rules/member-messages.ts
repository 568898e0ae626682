// What a member may do with a message that stands there.
import { PermissionFlagsBits } from "discord-api-types/v10";
import type { Channel, Message } from "../entities.ts";
import { refusal } from "../errors.ts";
import { channelPermissions, hasPermissions } from "../permissions.ts";
import type { Platform } from "../platform.ts";
import { parseMessageForm } from "../validate/message.ts";
import { deleteMessage, editMessage } from "./messages.ts";
import { refuseArchived } from "./threads.ts";

/** A member's message, where it stands and who would touch it. */
export interface MessageTouch {
  readonly channel: Channel;
  readonly message: Message;
  readonly userId: string;
}

/** Nobody changes another's words, whatever their role. */
export function mayEdit({ message, userId }: MessageTouch): boolean {
  return message.authorId === userId && message.visibleTo === undefined;
}

/** One's own; in guilds, for those who manage messages, anybody's. */
export function mayDelete(platform: Platform, { channel, message, userId }: MessageTouch): boolean {
  const guild = platform.state.guilds.get(channel.guildId ?? "");
  return (
    message.visibleTo === undefined &&
    (message.authorId === userId ||
      (guild !== undefined &&
        hasPermissions(channelPermissions(guild, channel, userId), PermissionFlagsBits.ManageMessages)))
  );
}

/** Its files stay. Throws 50005 for another's message, 50006, 50035, 50083. */
export function editAsMember(platform: Platform, touch: MessageTouch, text: string): Message {
  if (!mayEdit(touch)) {
    throw refusal("notTheAuthor");
  }
  refuseArchived(platform, touch.channel);
  return editMessage(platform, touch.message, { form: parseMessageForm({ content: text }), files: [] });
}

/** Throws 50013 for another's without the right, 50083. */
export function deleteAsMember(platform: Platform, touch: MessageTouch): void {
  if (!mayDelete(platform, touch)) {
    throw refusal("missingPermissions");
  }
  refuseArchived(platform, touch.channel);
  deleteMessage(platform, touch.channel, touch.message);
}
