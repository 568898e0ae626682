// Which files an option or a field of a form asks for.
import { z } from "zod";

/** Groups and dotted extensions, ten at most, e.g. `["image", ".csv"]`. */
export const fileTypes = z
  .array(z.string().regex(/^(image|video|audio|\.[a-z0-9]{1,16})$/i))
  .max(10)
  .nullish();

/** The names that belong to a group. Discord says which of images and videos; of audio it does not. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  image: [".png", ".gif", ".jpg", ".jpeg", ".jfif", ".webp", ".avif"],
  video: [".mp4", ".mov", ".qt", ".webm"],
  audio: [".mp3", ".ogg", ".wav", ".flac", ".m4a"],
};

/** Whether a client lets a file through: by its name only. Everything passes where nothing is asked for. */
export function isFileWanted(name: string, wanted: readonly unknown[]): boolean {
  const lower = name.toLowerCase();
  return (
    wanted.length === 0 ||
    wanted.some((type) => {
      const word = String(type).toLowerCase();
      return (GROUPS[word] ?? [word]).some((extension) => lower.endsWith(extension));
    })
  );
}
