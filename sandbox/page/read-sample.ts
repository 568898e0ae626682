import { readFile } from "node:fs/promises";

/**
 * A file that the page offers newcomers. Programs of this project drew both, so nothing of anybody's is in them: a picture of
 * 1200 × 800 pixels, and a film of 320 × 192 without sound. To change one, take its program from the history:
 * `git log --diff-filter=D -- sandbox/control/samples`.
 */
export async function readSample(name: "night-train.jpg" | "passing-train.mp4"): Promise<Uint8Array> {
  return readFile(new URL(`client/samples/${name}`, import.meta.url));
}
