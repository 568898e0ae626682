// A channel's messages as one member sees them.
import { isVisibleTo, seeMessage } from "../../discord/actors/see.ts";
import type { Channel, Message, User } from "../../discord/entities.ts";
import type { Platform } from "../../discord/platform.ts";
import { mayDelete } from "../../discord/rules/member-messages.ts";
import type { ChatMessage } from "./api.ts";

/** An answer to the entry of a message's menu. */
const MENU_ANSWER = 23;

/** Oldest first. */
export function formatMessages(platform: Platform, channel: Channel, user: User): ChatMessage[] {
  return [...channel.messages.values()]
    .filter((message) => isVisibleTo(message, user.id))
    .map((message) => formatMessage(platform, channel, message, user));
}

function formatMessage(platform: Platform, channel: Channel, message: Message, user: User): ChatMessage {
  const { origin, kind } = message;
  const command = origin?.commandName;
  const touch = { channel, message, userId: user.id };
  return {
    ...seeMessage(platform, message),
    used:
      origin === undefined || command === undefined
        ? undefined
        : { userId: origin.userId, command: kind === MENU_ANSWER ? command : `/${command}` },
    interactionId: origin?.interactionId,
    mayDelete: mayDelete(platform, touch),
  };
}
