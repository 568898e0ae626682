// The privileged message content intent: without it, a bot can read only messages that are meant for it.
import type { Message } from "../entities.ts";
import type { Platform } from "../platform.ts";

const MESSAGE_CONTENT_INTENT = 1 << 15;

/** Whether a message's text and files are hidden from a bot without the intent. */
export function isHiddenFromBot(platform: Platform, message: Message): boolean {
  const botId = platform.state.application.id;
  return (
    message.guildId !== undefined && message.authorId !== botId && !message.mentionedUserIds.includes(botId)
  );
}

/** Whether the portal grants the application the intent; for REST, nothing else matters. */
export function readsEverything({ state: { application } }: Platform): boolean {
  return (application.privilegedIntents & MESSAGE_CONTENT_INTENT) !== 0;
}

export function isBlankOverRest(platform: Platform, message: Message): boolean {
  return !readsEverything(platform) && isHiddenFromBot(platform, message);
}
