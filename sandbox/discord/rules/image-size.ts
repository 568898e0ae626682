// The size of a picture, read from its first bytes; Discord reports it with attachments.

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Reads the size of a PNG, GIF, JPEG or WebP; `undefined` for anything else. */
export function readImageSize(bytes: Uint8Array): ImageSize | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < 30) {
    return undefined;
  }
  if (buffer.readUInt32BE(0) === 0x89504e47) {
    return { width: buffer.readUInt32BE(16), height: buffer.readUInt32BE(20) };
  }
  if (buffer.toString("latin1", 0, 4) === "GIF8") {
    return { width: buffer.readUInt16LE(6), height: buffer.readUInt16LE(8) };
  }
  if (buffer.readUInt16BE(0) === 0xffd8) {
    return readJpegSize(buffer);
  }
  if (buffer.toString("latin1", 8, 12) === "WEBP") {
    return readWebpSize(buffer);
  }
  return undefined;
}

/** Walks the segments to the frame header (C0–CF without C4, C8, CC). */
function readJpegSize(buffer: Buffer): ImageSize | undefined {
  let at = 2;
  while (at + 9 < buffer.length && buffer[at] === 0xff) {
    const marker = buffer[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { width: buffer.readUInt16BE(at + 7), height: buffer.readUInt16BE(at + 5) };
    }
    at += 2 + buffer.readUInt16BE(at + 2);
  }
  return undefined;
}

function readWebpSize(buffer: Buffer): ImageSize | undefined {
  switch (buffer.toString("latin1", 12, 16)) {
    case "VP8 ":
      return { width: buffer.readUInt16LE(26) & 0x3fff, height: buffer.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      const bits = buffer.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: buffer.readUIntLE(24, 3) + 1, height: buffer.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
