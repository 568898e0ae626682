// Checks that a picture contains nothing but pixels, by lists of what is allowed. A location, a name or a whole other
// file could be in any segment that decoders skip, or after the end.
import type { Picture } from "./pictures.ts";
import { readPngChunks } from "./indexed-png.ts";

export type PlainPicture = Omit<Picture, "bytes">;

const PNG_CHUNKS: ReadonlySet<string> = new Set(["IHDR", "PLTE", "tRNS", "pHYs", "IDAT", "IEND"]);

/** Tables, the frame header (baseline or progressive), restarts. The JFIF header is checked by its length. */
const JPEG_SEGMENTS: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2, 0xc4, 0xdb, 0xdd]);
const JPEG_FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
const [SCAN, END, JFIF] = [0xda, 0xd9, 0xe0];
/** The length of a JFIF header without a thumbnail, which could be another picture. */
const JFIF_BYTES = 16;
/** The bytes that are read of a segment. In a complete file, only the end marker is shorter. */
const LONGEST_HEAD_BYTES = 10;

/** Reads the structure of a still JPEG, PNG or WebP; `undefined` if it is incomplete or contains anything else. */
export function readPlainPicture(bytes: Uint8Array): PlainPicture | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = view.toString("latin1", 0, 12);
  if (start.startsWith("\u0089PNG")) {
    return readPng(view);
  }
  return start.startsWith("RIFF") ? readWebp(view) : readJpeg(view);
}

function readPng(bytes: Buffer): PlainPicture | undefined {
  const chunks = [...readPngChunks(bytes)];
  const [head, last] = [chunks[0], chunks.at(-1)];
  const isWhole = head?.type === "IHDR" && last?.type === "IEND" && last.next === bytes.length;
  if (!isWhole || head.data.length < 8 || !chunks.every(({ type }) => PNG_CHUNKS.has(type))) {
    return undefined;
  }
  return { contentType: "image/png", width: head.data.readUInt32BE(0), height: head.data.readUInt32BE(4) };
}

/** A still picture, with or without transparency: https://developers.google.com/speed/webp/docs/riff_container */
function readWebp(bytes: Buffer): PlainPicture | undefined {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 !== bytes.length) {
    return undefined;
  }
  const types: string[] = [];
  for (let at = 12; at + 8 <= bytes.length;) {
    types.push(bytes.toString("latin1", at, at + 4));
    const size = bytes.readUInt32LE(at + 4);
    at += 8 + size + (size % 2);
    if (at > bytes.length) {
      return undefined;
    }
  }
  const contentType = "image/webp";
  switch (types.join()) {
    case "VP8 ":
      return { contentType, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return { contentType, width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
    }
    case "VP8X,ALPH,VP8 ":
      return { contentType, width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) };
    default:
      return undefined;
  }
}

function readJpeg(bytes: Buffer): PlainPicture | undefined {
  let size: Pick<Picture, "width" | "height"> | undefined;
  for (let at = 2; bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === END) {
      return size && at + 2 === bytes.length ? { contentType: "image/jpeg", ...size } : undefined;
    }
    const isKnown = marker === SCAN || marker === JFIF || JPEG_SEGMENTS.has(marker);
    if (!isKnown || at + LONGEST_HEAD_BYTES > bytes.length) {
      return undefined;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (marker === JFIF && length !== JFIF_BYTES) {
      return undefined;
    }
    if (JPEG_FRAMES.has(marker)) {
      // Four components mean CMYK, not RGB.
      if ((bytes[at + 9] ?? 0) > 3) {
        return undefined;
      }
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    at += 2 + length;
    at = marker === SCAN ? endOfScan(bytes, at) : at;
  }
  return undefined;
}

/** The position of the next marker. In a scan's data, FF 00 stands for a byte FF, and FF D0 to FF D7 are restarts. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) {
      return at;
    }
  }
  return bytes.length;
}
