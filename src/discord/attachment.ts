// Our own record of what Discord attaches.
import type { Attachment } from "./define/message.ts";
import type { RawAttachment } from "./interaction.ts";

/** Attachment flag 1<<3. The name's `SPOILER_` prefix says nothing since 2026. */
const IS_SPOILER = 1 << 3;

/** An attachment as handlers see it. */
export function createAttachment(raw: RawAttachment): Attachment {
  return {
    id: raw.id,
    name: raw.filename,
    url: raw.url,
    sizeBytes: raw.size,
    contentType: raw.content_type ?? undefined,
    spoiler: ((raw.flags ?? 0) & IS_SPOILER) !== 0,
    description: raw.description ?? undefined,
  };
}
