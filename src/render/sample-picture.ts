// The bot's own picture for previews of styles, so that nobody's photograph is sent anywhere. It has a plain sky, fine
// detail, edges, light and dark, in which styles differ most.
import { readFile } from "node:fs/promises";

export const SAMPLE_PICTURE_DESCRIPTION = "A red train before green hills and the sea, in the evening sun";

/** Returns a PNG, 768 × 576 pixels. */
export function readSamplePicture(): Promise<Uint8Array> {
  return readFile(new URL("sample-picture.png", import.meta.url));
}
