// What kind of file a member has attached, as far as commands ask.
import type { FileType } from "../define.ts";
import type { Attachment } from "../define/message.ts";

/** Where Discord has no guess, the name decides. */
const ENDINGS: Readonly<Record<FileType, RegExp>> = {
  image: /\.(?:png|gif|jpe?g|jfif|webp|avif)$/i,
  video: /\.(?:mp4|m4v|mov|qt|webm)$/i,
};
const TYPES: readonly FileType[] = ["image", "video"];
/** Says no more than no guess at all. */
const UNKNOWN = "application/octet-stream";

/** `undefined` for a file of any other kind. */
export function fileTypeOf({
  name,
  contentType = UNKNOWN,
}: Pick<Attachment, "name" | "contentType">): FileType | undefined {
  return TYPES.find((type) =>
    contentType === UNKNOWN ? ENDINGS[type].test(name) : contentType.startsWith(`${type}/`),
  );
}
