import type { Reply } from "../core/reply.ts";
import type { Picture } from "../render/pictures.ts";
import { pictureFile } from "./restyle-files.ts";

/** A restyled picture as a file to keep, for whoever asked alone. */
export function downloadView(
  picture: Picture,
  { description, isSpoiler }: { readonly description: string | undefined; readonly isSpoiler: boolean },
): Reply {
  const file = pictureFile("restyled", picture, description ?? "The restyled picture");
  const { width, height, bytes } = picture;
  const megabytes = (bytes.byteLength / 1_048_576).toFixed(1);
  return {
    blocks: [
      {
        type: "text",
        text: `As a file: ${width.toLocaleString("en-GB")} × ${height.toLocaleString("en-GB")} pixels, ${megabytes} MB.`,
      },
      { type: "file", file: file.name, spoiler: isSpoiler },
    ],
    files: [file],
    visibility: "private",
  };
}
