// How often what stands already may be edited.
import type { Message } from "../entities.ts";
import { refusal } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { MESSAGE_FLAGS } from "../serialise/message.ts";
import { OLD_EDITS, PUBLISHED_EDITS, spend } from "./allowances.ts";

/** Older messages have a limit of their own. */
const OLD_AFTER_MS = 3_600_000;

/**
 * Spends an edit by the bot's token. Throws 20022 for a published message edited too often, 30046 where too many
 * messages older than an hour were edited in the channel; both as 429.
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
