// What a member may do with an existing message.
import type { Channel, Message } from "../entities.ts";
import { refusal } from "../errors.ts";
import { isAllowed } from "../permissions.ts";
import type { Platform } from "../platform.ts";
import { deleteMessage } from "./messages.ts";
import { refuseArchived } from "./threads.ts";

/** A member, a message and its channel. */
export interface MessageAccess {
  readonly channel: Channel;
  readonly message: Message;
  readonly userId: string;
}

/** One's own; in guilds, with the permission to manage messages, anyone's. */
export function mayDelete(platform: Platform, { channel, message, userId }: MessageAccess): boolean {
  return (
    message.visibleTo === undefined &&
    (message.authorId === userId || isAllowed(platform.state, channel, userId, "ManageMessages"))
  );
}

/** Throws 50013 for another person's message without the permission, 50083. */
export function deleteAsMember(platform: Platform, access: MessageAccess): void {
  if (!mayDelete(platform, access)) {
    throw refusal("missingPermissions");
  }
  refuseArchived(platform, access.channel);
  deleteMessage(platform, access.channel, access.message);
}
