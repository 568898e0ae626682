// The pieces that a PNG is made of. https://www.w3.org/TR/png-3/#5Chunk-layout

/** One piece: its four letters, its data, and where the next piece begins. */
export interface PngChunk {
  readonly type: string;
  readonly data: Buffer;
  readonly next: number;
}

const SIGNATURE_BYTES = 8;
/** Length and type before the data, a checksum after it. */
const HEAD_BYTES = 8;
const CHECK_BYTES = 4;

/** Walks the chunks of bytes that begin as a PNG does; ends at the first that is not whole. */
export function* readPngChunks(picture: Uint8Array): Generator<PngChunk> {
  const bytes = Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength);
  for (let at = SIGNATURE_BYTES; at + HEAD_BYTES + CHECK_BYTES <= bytes.length;) {
    const start = at + HEAD_BYTES;
    const end = start + bytes.readUInt32BE(at);
    const next = end + CHECK_BYTES;
    if (next > bytes.length) {
      return;
    }
    yield { type: bytes.toString("latin1", at + 4, start), data: bytes.subarray(start, end), next };
    at = next;
  }
}

/** How many frames a PNG has; a still one has one. The libraries that decode PNG do not say. */
export function countPngFrames(picture: Uint8Array): number {
  for (const { type, data } of readPngChunks(picture)) {
    if (type === "acTL" && data.length >= 4) {
      return data.readUInt32BE();
    }
    if (type === "IDAT") {
      return 1; // an acTL behind the first picture counts for nothing
    }
  }
  return 1;
}
