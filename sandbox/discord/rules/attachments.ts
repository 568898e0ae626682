// Files: taken in, named as Discord names them, kept or dropped by an edit.
import { isGiven } from "../validate/is-given.ts";
import type { Attachment } from "../entities.ts";
import { refusal } from "../errors.ts";
import type { Platform } from "../platform.ts";
import type { MessageForm } from "../validate/message.ts";
import { readImageSize } from "./image-size.ts";

/** A file as it came in a request; `key` is the n of `files[n]`. */
export interface UploadedFile {
  readonly key: string;
  readonly name: string;
  readonly bytes: Uint8Array;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  gif: "image/gif",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  avif: "image/avif",
  mp4: "video/mp4",
  mov: "video/quicktime",
  webm: "video/webm",
  mp3: "audio/mpeg",
  txt: "text/plain; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  json: "application/json; charset=utf-8",
  pdf: "application/pdf",
};

/** Discord guesses from the name alone. */
function guessContentType(filename: string): string | undefined {
  return CONTENT_TYPES[filename.split(".").at(-1)?.toLowerCase() ?? ""];
}

function cleanName(name: string): string {
  const clean = name.replaceAll(/\s/g, "_").replaceAll(/[^\w.-]/g, "");
  return clean === "" ? "unknown" : clean;
}

/** Takes a file in. Throws 40005 for one that is too large. */
export function takeFile(
  platform: Platform,
  channelId: string,
  file: Pick<UploadedFile, "name" | "bytes">,
  details: { readonly description?: string; readonly spoiler?: boolean; readonly ephemeral?: boolean } = {},
): Attachment {
  if (file.bytes.length > platform.settings.attachmentSizeLimitBytes) {
    throw refusal("entityTooLarge");
  }
  const filename = cleanName(file.name);
  const size = readImageSize(file.bytes);
  const attachment: Attachment = {
    id: platform.ids.next(),
    channelId,
    filename,
    description: details.description,
    contentType: guessContentType(filename),
    width: size?.width,
    height: size?.height,
    spoiler: details.spoiler ?? filename.startsWith("SPOILER_"),
    ephemeral: details.ephemeral ?? false,
    bytes: file.bytes,
  };
  platform.state.attachments.set(attachment.id, attachment);
  return attachment;
}

/**
 * A message's files after a request. Old ones stay unless `attachments` is given and does not list them;
 * new ones need no entry, but take their name and description from it.
 */
export function settleAttachments(
  platform: Platform,
  channelId: string,
  request: { readonly form: MessageForm; readonly files: readonly UploadedFile[] },
  old: readonly Attachment[] = [],
): Attachment[] {
  const entries = request.form.attachments ?? undefined;
  const entryOf = (id: string) => entries?.find((entry) => entry.id === id);
  const kept = old.flatMap((attachment) => {
    const entry = entryOf(attachment.id);
    if (entries !== undefined && entry === undefined) {
      platform.state.attachments.delete(attachment.id);
      return [];
    }
    return [{ ...attachment, description: entry?.description ?? attachment.description }];
  });
  const added = request.files.map((file) => {
    const entry = entryOf(file.key);
    return takeFile(
      platform,
      channelId,
      { name: entry?.filename ?? file.name, bytes: file.bytes },
      {
        ...(!isGiven(entry?.description) ? {} : { description: entry.description }),
        ...(!isGiven(entry?.is_spoiler) ? {} : { spoiler: entry.is_spoiler }),
      },
    );
  });
  return [...kept, ...added];
}
