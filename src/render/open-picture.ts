// Opens bytes that somebody sent, inside the picture process: what they are and how large is known before a pixel is
// decoded, and only then is it said how to decode them. sharp is set up here, for all that goes on in this process.
import sharp, { type Metadata, type Sharp } from "sharp";
import { MAX_PIXELS, pixelsOf, PictureError } from "./pictures.ts";
import { countPngFrames } from "./indexed-png.ts";

const MAX_FRAMES = 100;
/** What a picture may take. With the process's own 65 MB and what the bot holds, the whole stays near 300 MB. */
const MAX_DECODING_BYTES = 185_000_000;

// libvips reads some thirty formats, SVG and PDF among them; only these five are let near a stranger's bytes, and only
// from memory. The block holds for the whole process.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Nsgif", "Heif"].map((kind) => `VipsForeignLoad${kind}Buffer`),
});
// One picture at a time, on one core: the other is the bot's. A cache would only keep what never comes again.
sharp.concurrency(1);
sharp.cache(false);

export interface OpenPicture {
  /** As it is looked at, its orientation applied. */
  readonly width: number;
  readonly height: number;
  /** It has a channel for what shows through; whether anything does is not known yet. */
  readonly hasAlpha: boolean;
  readonly isAnimated: boolean;
  /** Decodes the first frame, upright. Whatever this throws in the end means `damaged`. */
  decode(): Sharp;
}

/** Throws PictureError for what cannot be read or takes too much; `heldBytes` are taken up already. */
export async function openPicture(bytes: Uint8Array, heldBytes = 0): Promise<OpenPicture> {
  // Only the header is read, so no number of pixels hurts; sharp's own limit would be a message to tell others by.
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

/** What a decoder throws has no kind of its own: once a picture is open, all of it means the same. */
export async function orDamaged<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new PictureError("damaged", error);
  }
}

// How much memory a picture takes while it is decoded, as measured (sharp 0.35.5, libvips 8.18.7) for its first frame
// decoded upright into a JPEG. Some kinds come row by row and take next to nothing, others lie there whole.

/** What a header tells that memory depends on. */
export type PictureHeader = Pick<
  Metadata,
  "format" | "width" | "height" | "channels" | "depth" | "orientation" | "isProgressive" | "chromaSubsampling"
> & { readonly bitsPerSample?: number | undefined };

/** For what is always held: rows, buffers, threads. */
const BASE_BYTES = 8_000_000;
/** Bytes for each pixel of kinds that lie there whole: WebP's canvas twice, GIF's frame, AVIF's planes and copies. */
const WHOLE_BYTES: Readonly<Record<string, number>> = { webp: 8.5, gif: 5.5, heif: 20 };
/** AVIF of 10 or 12 bits. */
const DEEP_HEIF_BYTES = 26;
/** Orientations from here on lie on their side: rows become columns, for which all of it must be there. */
const FIRST_TURNED = 5;

/** The bytes in all, `sizeBytes` of the file itself among them twice: the bot and the picture process both hold it. */
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

/** Progressive JPEG keeps two bytes for each coefficient, of which 4:2:0 has half as many; interlaced PNG all pixels. */
function progressiveBytes({ format, channels, chromaSubsampling }: PictureHeader, pixel: number): number {
  if (format !== "jpeg") {
    return pixel;
  }
  return chromaSubsampling?.startsWith("4:2:0") ? channels + 1 : 2 * channels + 1;
}
