// Limits edits of old and of published messages.
import type { Message } from "../entities.ts";
import { refusal } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { MESSAGE_FLAGS } from "../serialise/message.ts";
import { OLD_EDITS, PUBLISHED_EDITS, spend } from "./allowances.ts";

/** Messages older than this have a limit of their own. */
const OLD_AFTER_MS = 3_600_000;

/**
 * Counts an edit with the bot's token. Throws 20022 for too many edits of a published message, and 30046 for too many
 * edits in the channel of messages older than an hour; both are 429s.
 */
export function spendEdit(platform: Platform, message: Message): void {
  if ((message.flags & MESSAGE_FLAGS.crossposted) !== 0) {
    const retryAfterMs = spend(platform, `published-edits ${message.id}`, PUBLISHED_EDITS);
    if (retryAfterMs !== undefined) {
      throw refusal("announcementEdits", retryAfterMs);
    }
  }
  if (platform.clock.now() - message.createdAtMs > OLD_AFTER_MS) {
    const retryAfterMs = spend(platform, `old-edits ${message.channelId}`, OLD_EDITS);
    if (retryAfterMs !== undefined) {
      throw refusal("oldEdits", retryAfterMs);
    }
  }
}
