// Takes files in without growing with them: a hash and a size of all, the bytes of small ones.
import { createHash, type Hash } from "node:crypto";
import type { ReceivedFile } from "./entities.ts";

/** Files up to this are kept whole, so that they can be played; it is above what members may upload. */
export const KEPT_WHOLE_BYTES = 32 * 1024 * 1024;
/** What is kept of larger ones. */
const KEPT_HEAD_BYTES = 64 * 1024;

/** What was kept, and what comes to it. */
export function keepMore(kept: Uint8Array, more: readonly Uint8Array[], sizeBytes: number): Uint8Array {
  if (sizeBytes <= KEPT_WHOLE_BYTES) {
    return Buffer.concat([kept, ...more]);
  }
  return kept.byteLength >= KEPT_HEAD_BYTES
    ? new Uint8Array(kept.subarray(0, KEPT_HEAD_BYTES))
    : Buffer.concat([kept, ...more], KEPT_HEAD_BYTES);
}

/** Takes a file chunk by chunk. */
export interface FileTaker {
  push(chunk: Uint8Array): void;
  finish(): ReceivedFile;
}

export function createFileTaker(name: string, contentType: string): FileTaker {
  const hash: Hash = createHash("sha256");
  let chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  return {
    push(chunk) {
      const wasWhole = sizeBytes <= KEPT_WHOLE_BYTES;
      hash.update(chunk);
      sizeBytes += chunk.byteLength;
      if (sizeBytes <= KEPT_WHOLE_BYTES) {
        chunks.push(new Uint8Array(chunk));
      } else if (wasWhole) {
        chunks = [keepMore(Buffer.concat(chunks), [chunk], sizeBytes)];
      }
    },
    finish: () => ({
      name,
      contentType,
      sizeBytes,
      sha256: hash.digest("hex"),
      bytes: Buffer.concat(chunks),
      isWhole: sizeBytes <= KEPT_WHOLE_BYTES,
    }),
  };
}
