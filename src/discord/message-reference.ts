// Our own record of a message that Discord quotes.
import { createAttachment } from "./attachment.ts";
import type { MessageReference } from "./define/message.ts";
import type { RawMessage } from "./interaction.ts";
import { listMedia } from "./message-media.ts";

/** A message as handlers see it. */
export function createMessageReference(raw: RawMessage): MessageReference {
  return {
    id: raw.id,
    channelId: raw.channel_id,
    authorId: raw.author.id,
    content: raw.content,
    attachments: raw.attachments.map(createAttachment),
    // Few handlers look, and of a long message it is work.
    get media() {
      return listMedia(raw);
    },
  };
}
