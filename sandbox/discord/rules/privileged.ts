// Who reads what others write: without the privileged intent a bot sees only what is meant for it.
import type { Message } from "../entities.ts";
import type { Platform } from "../platform.ts";

// The portal's bit of the intent.
const MESSAGE_CONTENT_INTENT = 1 << 15;

/** Whether a message's words and files are hidden from a bot without the intent. */
export function isHiddenFromBot(platform: Platform, message: Message): boolean {
  const botId = platform.state.application.id;
  return (
    message.guildId !== undefined && message.authorId !== botId && !message.mentionedUserIds.includes(botId)
  );
}

/** Whether the application has been granted the intent in the portal; over REST that decides. */
export function readsEverything({ state: { application } }: Platform): boolean {
  return (application.privilegedIntents & MESSAGE_CONTENT_INTENT) !== 0;
}

/** Whether a message is blank when the bot asks for it. */
export function isBlankOverRest(platform: Platform, message: Message): boolean {
  return !readsEverything(platform) && isHiddenFromBot(platform, message);
}
