// Receives files in constant memory: the hash and size of each, and the bytes of small ones only.
import { createHash } from "node:crypto";
import { answerBytes } from "../http/answer-bytes.ts";
import type { ReceivedFile } from "./entities.ts";

/** Files up to this size are stored, so that they can be played. Members cannot upload larger ones to Discord. */
export const MAX_STORED_BYTES = 32 * 1024 * 1024;

/** A response with the whole file or a range; 404 if the file was not stored. `range` is the request's header. */
export function answerFile({ chunks, contentType }: ReceivedFile, range: string | undefined): Response {
  return chunks.length === 0
    ? new Response("Gone", { status: 404 })
    : answerBytes(Buffer.concat(chunks), range, { "content-type": contentType });
}

export interface FileTaker {
  push(chunk: Uint8Array): void;
  finish(): ReceivedFile;
}

export function createFileTaker(name: string, contentType: string): FileTaker {
  const hash = createHash("sha256");
  let chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  return {
    push(chunk) {
      hash.update(chunk);
      sizeBytes += chunk.byteLength;
      if (sizeBytes <= MAX_STORED_BYTES) {
        chunks.push(chunk);
      } else {
        chunks = [];
      }
    },
    finish: () => ({ name, contentType, sizeBytes, sha256: hash.digest("hex"), chunks }),
  };
}
