import { readFile } from "node:fs/promises";

/**
 * The sample video, an MP4 of 320 × 192 pixels without sound: a train passes at dusk. A program of this project drew it
 * pixel by pixel and coded it, so nothing of anybody's is in it. To change it, take the program from the history:
 * `git log --diff-filter=D -- sandbox/control/samples/h264.ts`.
 */
export async function readFilm(): Promise<Uint8Array> {
  return readFile(new URL("passing-train.mp4", import.meta.url));
}
