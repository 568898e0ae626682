// Files in the form in which discord.js's REST takes them.
import type { SendableFile } from "./reply-files.ts";

/** The part of a request that carries files; empty without any. */
export function withFiles(files: readonly SendableFile[]) {
  return files.length === 0
    ? {}
    : {
        files: files.map(({ name, bytes }) => ({
          name,
          data: bytes,
          ...contentType(name),
        })),
      };
}

/** Saves discord.js from guessing by the bytes. */
function contentType(name: string): { readonly contentType?: string } {
  return name.endsWith(".png") ? { contentType: "image/png" } : {};
}
