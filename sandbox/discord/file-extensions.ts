/** The extensions of each group. Discord documents those of images and videos, but not those of audio files. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  image: [".png", ".gif", ".jpg", ".jpeg", ".jfif", ".webp", ".avif"],
  video: [".mp4", ".mov", ".qt", ".webm"],
  audio: [".mp3", ".ogg", ".wav", ".flac", ".m4a"],
};

/** The extensions, with a dot, that the `file_types` of an option or a field allow; empty if they allow every file. */
export function extensionsOf(wanted: unknown): string[] {
  const types: readonly unknown[] = Array.isArray(wanted) ? wanted : [];
  return types.flatMap((type) => GROUPS[String(type).toLowerCase()] ?? [String(type).toLowerCase()]);
}

/** Whether a client accepts a file. It checks only the name. */
export function isFileWanted(name: string, wanted: unknown): boolean {
  const extensions = extensionsOf(wanted);
  return extensions.length === 0 || extensions.some((end) => name.toLowerCase().endsWith(end));
}
