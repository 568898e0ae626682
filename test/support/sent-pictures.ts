// Pictures as people send them, drawn with sharp in the test's own process.
import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import type { PictureType } from "../../src/core/picture-type.ts";

/** Colours of the four corners, clockwise from the upper left, so that every rotation looks different. */
export const CORNERS = ["#d02020", "#20b020", "#2040d0", "#e0c020"] as const;

export const PICTURE_TYPES = ["jpeg", "png", "webp", "gif", "avif"] as const satisfies readonly PictureType[];

/** A picture with four coloured corners. */
export function drawPicture(width: number, height: number): Sharp {
  const [upperLeft, upperRight, lowerRight, lowerLeft] = CORNERS;
  const leftWidth = Math.ceil(width / 2);
  const upperHeight = Math.ceil(height / 2);
  const rows = (count: number, left: string, right: string) => {
    const row = Buffer.concat([strip(left, leftWidth), strip(right, width - leftWidth)]);
    return Buffer.alloc(count * row.length, row);
  };
  const pixels = Buffer.concat([
    rows(upperHeight, upperLeft, upperRight),
    rows(height - upperHeight, lowerLeft, lowerRight),
  ]);
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

function strip(colour: string, width: number): Buffer {
  return Buffer.alloc(width * 3, colour.slice(1), "hex");
}

/** A picture that no encoder makes small. */
export function drawNoise(width: number, height: number): Sharp {
  const noise = { type: "gaussian", mean: 128, sigma: 50 } as const;
  return sharp({ create: { width, height, channels: 3, background: "#888", noise } });
}

/** A PNG of 144 megapixels in 17 kB. It has one bit per pixel, so it is made quickly. */
export function makeBomb(): Buffer {
  const side = 12_000;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1;
  // Each row begins with its filter type.
  const pixels = Buffer.alloc(side * (1 + side / 8));
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(pixels)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Encodes a picture, for speed rather than quality. */
export function encodeAs(type: PictureType, picture: Sharp): Promise<Buffer> {
  return type === "avif" ? picture.avif({ effort: 0 }).toBuffer() : picture.toFormat(type).toBuffer();
}

/** Adds chunks to a PNG before its first pixels. */
export function insertPngChunks(png: Buffer, chunks: readonly Buffer[]): Buffer {
  const head = 8 + 25;
  return Buffer.concat([png.subarray(0, head), ...chunks, png.subarray(head)]);
}

/** Builds a PNG chunk. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** Adds a segment at the start of a JPEG, e.g. 0xFE for a comment. */
export function insertJpegSegment(jpeg: Buffer, marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, data, jpeg.subarray(2)]);
}
