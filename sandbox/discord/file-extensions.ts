/** The names that belong to a group. Discord says which of images and videos; of audio it does not. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  image: [".png", ".gif", ".jpg", ".jpeg", ".jfif", ".webp", ".avif"],
  video: [".mp4", ".mov", ".qt", ".webm"],
  audio: [".mp3", ".ogg", ".wav", ".flac", ".m4a"],
};

/** The dotted ends of names that an option or a field asks for by its `file_types`; empty: every file is welcome. */
export function extensionsOf(wanted: unknown): string[] {
  const types: readonly unknown[] = Array.isArray(wanted) ? wanted : [];
  return types.flatMap((type) => GROUPS[String(type).toLowerCase()] ?? [String(type).toLowerCase()]);
}

/** Whether a client lets a file through: by its name only. */
export function isFileWanted(name: string, wanted: unknown): boolean {
  const extensions = extensionsOf(wanted);
  return extensions.length === 0 || extensions.some((end) => name.toLowerCase().endsWith(end));
}
