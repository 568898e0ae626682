import { readFile } from "node:fs/promises";

/**
 * A picture of 1200 × 800 pixels, or a silent video of 320 × 192. Programs of this project drew both, so nobody else has
 * rights in them. The programs are in the history: `git log --diff-filter=D -- sandbox/control/samples`.
 */
export async function readSample(name: "night-train.jpg" | "passing-train.mp4"): Promise<Uint8Array> {
  return readFile(new URL(`client/samples/${name}`, import.meta.url));
}
