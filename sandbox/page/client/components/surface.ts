import type { Component, SeenMessage } from "../../../control/chat/api.ts";
import type { Media } from "../message/picture.tsx";
import { fieldOf, isSet, textField } from "./fields.ts";

export interface Surface {
  readonly messageId: string;
  readonly attachments: SeenMessage["attachments"];
}

export interface ComponentProps {
  readonly component: Component;
  readonly surface: Surface;
}

export type Attachment = SeenMessage["attachments"][number];

/** The message's attachment that a component refers to, as `attachment://name` or by its URL. */
export function attachmentOf(media: unknown, { attachments }: Surface): Attachment | undefined {
  const url = textField(media, "url");
  return attachments.find((one) => url === `attachment://${one.filename}` || url === one.url);
}

export function mediaOf(item: unknown, surface: Surface): Media {
  const media = fieldOf(item, "media");
  const attachment = attachmentOf(media, surface);
  return {
    url: attachment?.url ?? textField(media, "url"),
    description: textField(item, "description") || (attachment?.description ?? ""),
    // A file on another server is no attachment; for those, Discord adds the content type.
    isFilm: (attachment?.contentType ?? textField(media, "content_type")).startsWith("video/"),
    isSpoiler: isSet(item, "spoiler") || attachment?.spoiler === true,
    width: attachment?.width,
    height: attachment?.height,
  };
}
