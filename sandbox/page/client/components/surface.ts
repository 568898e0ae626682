// The message that components stand on, and its files.
import type { Component, SeenMessage } from "../../../control/chat/api.ts";
import type { Media } from "../message/picture.tsx";
import { fieldOf, isSet, textField } from "./fields.ts";

export interface Surface {
  readonly messageId: string;
  readonly attachments: SeenMessage["attachments"];
}

/** What a component is drawn from. */
export interface ComponentProps {
  readonly component: Component;
  readonly surface: Surface;
}

export type Attachment = SeenMessage["attachments"][number];

/** The file that a component names: `attachment://name` is one of the message's own. */
export function attachmentOf(media: unknown, { attachments }: Surface): Attachment | undefined {
  const url = textField(media, "url");
  return attachments.find((one) => url === `attachment://${one.filename}` || url === one.url);
}

/** The picture or film of a gallery's item or of a thumbnail. */
export function mediaOf(item: unknown, surface: Surface): Media {
  const media = fieldOf(item, "media");
  const attachment = attachmentOf(media, surface);
  return {
    url: attachment?.url ?? textField(media, "url"),
    description: textField(item, "description") || (attachment?.description ?? ""),
    // What stands elsewhere is no attachment: Discord says with it what it is.
    isFilm: (attachment?.contentType ?? textField(media, "content_type")).startsWith("video/"),
    isSpoiler: isSet(item, "spoiler") || attachment?.spoiler === true,
    width: attachment?.width,
    height: attachment?.height,
  };
}
