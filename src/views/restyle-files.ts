// The pictures of a message about styles: under which names they stand there, and how they are found again.
import type { ReplyFile } from "../core/reply.ts";
import type { Picture } from "../render/pictures.ts";

/** What a picture in a message is: the one before, the one after, or the n-th of several to choose from. */
export type PictureRole = "original" | "restyled" | `picture-${number}`;

/** What an original shows of which nobody has said it. */
const UNDESCRIBED = "The original picture";

/** The file of a picture; `description` in the words of whoever sent it, if they said any. */
export function pictureFile(role: PictureRole, picture: Picture, description = UNDESCRIBED): ReplyFile {
  const ending = picture.contentType.replace("image/", "").replace("jpeg", "jpg");
  return { name: `${role}.${ending}`, bytes: picture.bytes, description };
}

/** What somebody has said that a picture shows, which may stand in a message of the bot's own; `undefined` for nothing. */
export function saidOf({ description }: { readonly description: string | undefined }): string | undefined {
  return description === UNDESCRIBED ? undefined : description;
}

/** The picture of a message that was sent under this role; `undefined` where it is gone. */
export function findPicture<M extends { readonly name: string }>(
  media: readonly M[],
  role: PictureRole,
): M | undefined {
  return media.find(({ name }) => name.replace(/\.\w+$/, "") === role);
}

const KNOWN_ENDINGS = /\.(?:jpe?g|jfif|png|gif|webp|avif|heic|heif|svg)$/i;

/** Whether a file claims to be a picture; HEIC and drawings do so too, and are told apart later. */
export function isPictureName({
  name,
  contentType,
}: {
  readonly name: string;
  readonly contentType: string | undefined;
}): boolean {
  return contentType?.startsWith("image/") === true || KNOWN_ENDINGS.test(name);
}

/**
 * How large each of so many pictures of one message may be: a request takes 25 MiB in all, and a single one need not
 * be larger than this to be seen or printed.
 */
export function picturesLimit(fileLimitBytes: number, count: number): number {
  return Math.min(fileLimitBytes, Math.floor(24_000_000 / Math.max(2, count)));
}
