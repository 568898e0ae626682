// Opens strangers' pictures in the picture process, and checks their kind and size before any pixel is decoded.
import sharp, { type Metadata, type Sharp } from "sharp";
import { MAX_PIXELS, pixelsOf, PictureError } from "./pictures.ts";

const MAX_FRAMES = 100;
/** For decoding. With the process's own 65 MB and the bot's memory, the total stays near 300 MB. */
const MAX_DECODING_BYTES = 185_000_000;

// libvips reads some thirty formats, SVG and PDF among them. Only these five are allowed for strangers' files, and only
// from memory. This applies to the whole process.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Nsgif", "Heif"].map((kind) => `VipsForeignLoad${kind}Buffer`),
});
// Uses one core, because the other one is the bot's. A cache is useless, because no picture comes twice.
sharp.concurrency(1);
sharp.cache(false);

export interface OpenPicture {
  /** The dimensions after its orientation has been applied. */
  readonly width: number;
  readonly height: number;
  /** Whether it has an alpha channel. Its pixels may all be opaque. */
  readonly hasAlpha: boolean;
  readonly isAnimated: boolean;
  /** Decodes the first frame, upright. Any error of the pipeline means that the picture is `damaged`. */
  decode(): Sharp;
}

/** `heldBytes` of memory are already in use. Throws PictureError if it is unreadable or needs too much memory. */
export async function openPicture(bytes: Uint8Array, heldBytes = 0): Promise<OpenPicture> {
  // Only the header is read, so no number of pixels does harm. sharp's own limit throws an error without a code.
  const header = await orDamaged(sharp(bytes, { limitInputPixels: false }).metadata());
  if (header.format === "heif" && header.compression !== "av1") {
    throw new PictureError("heic");
  }
  const neededBytes = decodingBytes(header, bytes.byteLength) + heldBytes;
  if (pixelsOf(header) > MAX_PIXELS || neededBytes > MAX_DECODING_BYTES) {
    throw new PictureError("too-many-pixels");
  }
  const frames = header.format === "png" ? countPngFrames(bytes) : (header.pages ?? 1);
  if (frames > MAX_FRAMES) {
    throw new PictureError("too-many-frames");
  }
  return {
    ...header.autoOrient,
    hasAlpha: header.hasAlpha,
    isAnimated: frames > 1,
    decode: () => sharp(bytes, { limitInputPixels: MAX_PIXELS, autoOrient: true }).toColourspace("srgb"),
  };
}

const PNG_SIGNATURE_BYTES = 8;

/** The number of frames of a PNG, 1 if it is not animated. The libraries that decode PNG do not report it. */
function countPngFrames(picture: Uint8Array): number {
  const bytes = Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength);
  // A chunk has a length, a type, the data and a checksum. All but the data take 4 bytes.
  // https://www.w3.org/TR/png-3/#5Chunk-layout
  for (let at = PNG_SIGNATURE_BYTES; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (type === "acTL") {
      return bytes.readUInt32BE(at + 8);
    }
    if (type === "IDAT") {
      return 1; // an acTL after the first IDAT has no effect
    }
  }
  return 1;
}

/** Waits for `work` on an open picture. Decoder errors have no code, so any error means `damaged`. */
export function orDamaged<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw new PictureError("damaged", error);
  });
}

// The memory that decoding takes, as measured (sharp 0.35.5, libvips 8.18.7) for the first frame decoded upright into a
// JPEG. Some formats are decoded row by row and take next to nothing; others are in memory whole.

/** The fields of a header that memory depends on. */
export type PictureHeader = Pick<
  Metadata,
  "format" | "width" | "height" | "channels" | "depth" | "orientation" | "isProgressive" | "chromaSubsampling"
> & { readonly bitsPerSample?: number | undefined };

/** The fixed cost: rows, buffers, threads. */
const BASE_BYTES = 8_000_000;
/** Bytes per pixel for formats that are decoded whole: WebP's canvas twice, GIF's frame, AVIF's planes and copies. */
const WHOLE_BYTES: Readonly<Record<string, number>> = { webp: 8.5, gif: 5.5, heif: 20 };
/** Bytes per pixel for AVIF of 10 or 12 bits. */
const DEEP_HEIF_BYTES = 26;
/** From this EXIF orientation on, rows become columns, for which the whole picture must be in memory. */
const FIRST_TURNED = 5;

/** The total memory. It includes the file's `sizeBytes` twice, once for the bot and once for the picture process. */
function decodingBytes(header: PictureHeader, sizeBytes: number): number {
  return BASE_BYTES + 2 * sizeBytes + header.width * header.height * bytesPerPixel(header);
}

function bytesPerPixel(header: PictureHeader): number {
  const { format, channels, depth, bitsPerSample } = header;
  const whole = format === "heif" && (bitsPerSample ?? 8) > 8 ? DEEP_HEIF_BYTES : (WHOLE_BYTES[format] ?? 0);
  const pixel = channels * (depth === "ushort" ? 2 : 1);
  const turned = (header.orientation ?? 1) >= FIRST_TURNED ? pixel : 0;
  return whole + turned + (header.isProgressive ? progressiveBytes(header, pixel) : 0);
}

/** A progressive JPEG has two bytes for each coefficient, 4:2:0 half as many. An interlaced PNG needs all pixels. */
function progressiveBytes({ format, channels, chromaSubsampling }: PictureHeader, pixel: number): number {
  if (format !== "jpeg") {
    return pixel;
  }
  return chromaSubsampling?.startsWith("4:2:0") ? channels + 1 : 2 * channels + 1;
}
