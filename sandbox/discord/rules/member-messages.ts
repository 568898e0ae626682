// A member's rights over an existing message.
import type { Channel, Message } from "../entities.ts";
import { refusal } from "../errors.ts";
import { isAllowed } from "../permissions.ts";
import type { Platform } from "../platform.ts";
import { deleteMessage } from "./messages.ts";
import { refuseArchived } from "./threads.ts";

/** A message, its channel, and the member who wants to change it. */
export interface MessageAccess {
  readonly channel: Channel;
  readonly message: Message;
  readonly userId: string;
}

/** Whether a member may delete a message: their own, or with the permission anyone's, but not an ephemeral one. */
export function mayDelete(platform: Platform, { channel, message, userId }: MessageAccess): boolean {
  return (
    message.visibleTo === undefined &&
    (message.authorId === userId || isAllowed(platform.state, channel, userId, "ManageMessages"))
  );
}

/** Deletes a message. Throws 50013 if the member may not, 50083 in an archived thread. */
export function deleteAsMember(platform: Platform, access: MessageAccess): void {
  if (!mayDelete(platform, access)) {
    throw refusal("missingPermissions");
  }
  refuseArchived(platform, access.channel);
  deleteMessage(platform, access.channel, access.message);
}
