// Who may read other people's messages: without the privileged intent, a bot sees only those meant for it.
import type { Message } from "../entities.ts";
import type { Platform } from "../platform.ts";

// The intent's bit in the portal.
const MESSAGE_CONTENT_INTENT = 1 << 15;

/** Whether a message's text and files are hidden from a bot without the intent. */
export function isHiddenFromBot(platform: Platform, message: Message): boolean {
  const botId = platform.state.application.id;
  return (
    message.guildId !== undefined && message.authorId !== botId && !message.mentionedUserIds.includes(botId)
  );
}

/** Whether the application has the intent in the portal; for REST, only that matters. */
export function readsEverything({ state: { application } }: Platform): boolean {
  return (application.privilegedIntents & MESSAGE_CONTENT_INTENT) !== 0;
}

/** Whether a message is blank when the bot reads it over REST. */
export function isBlankOverRest(platform: Platform, message: Message): boolean {
  return !readsEverything(platform) && isHiddenFromBot(platform, message);
}
