// Attachments: accepts files, names them as Discord does, and keeps or removes them in an edit.
import { isGiven } from "../validate/problems.ts";
import type { Attachment } from "../entities.ts";
import { refusal, refuseProblems } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { guildAround } from "../state.ts";
import type { MessageForm } from "../validate/message.ts";
import { readImageSize } from "./image-size.ts";

/** A file as it arrived in a request; `key` is the n of `files[n]`. */
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

/** The exact rule is not documented. It is close to Python's `secure_filename`. */
function cleanName(name: string): Pick<Attachment, "filename" | "title"> {
  const spaced = name.replaceAll(/\s/g, "_");
  const clean = spaced
    .normalize("NFKD")
    .replaceAll(/[^\w.-]/g, "")
    .replaceAll(/^[._]+|[._]+$/g, "");
  return {
    filename: clean === "" ? "unknown" : clean,
    title: clean === spaced ? undefined : name.replace(/\.\w+$/, ""),
  };
}

const MAX_FILES = 10;

interface FileDetails {
  readonly description?: string;
  readonly spoiler?: boolean;
  readonly ephemeral?: boolean;
}

function createAttachment(
  platform: Platform,
  channelId: string,
  file: Pick<UploadedFile, "name" | "bytes">,
  details: FileDetails,
): Attachment {
  const { filename, title } = cleanName(file.name);
  const size = readImageSize(file.bytes);
  return {
    id: platform.ids.next(),
    channelId,
    filename,
    title,
    description: details.description,
    contentType: guessContentType(filename),
    width: size?.width,
    height: size?.height,
    spoiler: details.spoiler ?? filename.startsWith("SPOILER_"),
    ephemeral: details.ephemeral ?? false,
    bytes: file.bytes,
  };
}

/** Accepts a file that a member sends with an interaction. Throws 40005 if it is too large. */
export function takeFile(
  platform: Platform,
  channelId: string,
  file: Pick<UploadedFile, "name" | "bytes">,
  details: FileDetails = {},
): Attachment {
  if (file.bytes.length > platform.settings.attachmentSizeLimitBytes) {
    throw refusal("entityTooLarge");
  }
  const attachment = createAttachment(platform, channelId, file, details);
  platform.state.attachments.set(attachment.id, attachment);
  return attachment;
}

/** The attachments that a message will have after a request. Nothing changes before `apply`. */
export interface AttachmentPlan {
  readonly attachments: readonly Attachment[];
  apply(): void;
}

/**
 * Plans a message's attachments. If the request has new files or `attachments`, an old file remains only if
 * `attachments` lists it.
 * A new file needs no entry there; if it has one, its name, description and spoiler mark come from the entry. Throws 40005, 30015,
 * 50035 for an entry without a file, 400001.
 */
export function planAttachments(
  platform: Platform,
  place: { readonly channelId: string; readonly guildId: string | undefined; readonly isBot: boolean },
  request: { readonly form: MessageForm; readonly files: readonly UploadedFile[] },
  old: readonly Attachment[] = [],
): AttachmentPlan {
  const { state, settings } = platform;
  const entries = request.form.attachments ?? undefined;
  if (request.files.length > 0 && guildAround(state, place)?.areUploadsLimited) {
    throw refusal("uploadsLimited");
  }
  const limitBytes = place.isBot
    ? (settings.acceptedUploadBytes ?? settings.attachmentSizeLimitBytes)
    : settings.attachmentSizeLimitBytes;
  if (request.files.some(({ bytes }) => bytes.length > limitBytes)) {
    throw refusal("entityTooLarge");
  }
  refuseProblems(
    (entries ?? []).flatMap(({ id }, index) =>
      request.files.some(({ key }) => key === id) || old.some((file) => file.id === id)
        ? []
        : [
            {
              path: ["attachments", index, "id"],
              code: "ATTACHMENT_NOT_FOUND",
              message: `Attachment with id ${id} not found`,
            },
          ],
    ),
  );
  const entryOf = (id: string) => entries?.find((entry) => entry.id === id);
  const isChanged = entries !== undefined || request.files.length > 0;
  const kept = old.flatMap((attachment) => {
    const entry = entryOf(attachment.id);
    if (isChanged && entry === undefined) {
      return [];
    }
    return [
      {
        ...attachment,
        description: entry?.description ?? attachment.description,
        spoiler: entry?.is_spoiler ?? attachment.spoiler,
      },
    ];
  });
  if (kept.length + request.files.length > MAX_FILES) {
    throw refusal("tooManyFiles");
  }
  const added = request.files.map((file) => {
    const entry = entryOf(file.key);
    return createAttachment(
      platform,
      place.channelId,
      { name: entry?.filename ?? file.name, bytes: file.bytes },
      {
        ...(!isGiven(entry?.description) ? {} : { description: entry.description }),
        ...(!isGiven(entry?.is_spoiler) ? {} : { spoiler: entry.is_spoiler }),
      },
    );
  });
  return {
    attachments: [...kept, ...added],
    apply() {
      for (const { id } of old) {
        if (!kept.some((file) => file.id === id)) {
          state.attachments.delete(id);
        }
      }
      for (const attachment of added) {
        state.attachments.set(attachment.id, attachment);
      }
    },
  };
}
