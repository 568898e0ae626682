// What components stand on: a message, or something that only looks like one.
import type { SeenMessage } from "../../../control/chat/api.ts";
import { textField } from "./fields.ts";

export interface Surface {
  /** `undefined`: nothing here can be pressed, e.g. in a forwarded message. */
  readonly messageId: string | undefined;
  readonly attachments: SeenMessage["attachments"];
}

export type Attachment = SeenMessage["attachments"][number];

/** The address of a component's media: `attachment://name` is one of the message's own files. */
export function resolveMedia(
  media: unknown,
  { attachments }: Surface,
): { readonly url: string; readonly attachment: Attachment | undefined } {
  const url = textField(media, "url");
  const name = url.startsWith("attachment://") ? url.slice("attachment://".length) : undefined;
  const attachment = attachments.find((one) => one.filename === name || one.url === url);
  return { url: attachment?.url ?? url, attachment };
}
