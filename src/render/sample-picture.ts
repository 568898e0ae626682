// A picture of our own to show styles with, so that nobody's photograph is sent anywhere. It has what tells styles apart:
// plain sky, fine detail, edges, light and dark.
import { readFile } from "node:fs/promises";

/** Says in words what the picture shows. */
export const SAMPLE_PICTURE_DESCRIPTION = "a red train before green hills and the sea, in the evening sun";

/** Gives it as PNG, 768 × 576 pixels. */
export function readSamplePicture(): Promise<Uint8Array> {
  return readFile(new URL("sample-picture.png", import.meta.url));
}
