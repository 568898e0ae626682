// Opens bytes that somebody sent, inside the picture process: what they are and how large is known before a pixel is
// decoded, and only then is it said how to decode them. sharp is set up here, for all that goes on in this process.
import sharp, { type Sharp } from "sharp";
import { decodingBytes } from "./decoding-bytes.ts";
import { PictureError } from "./pictures.ts";
import { MAX_PIXELS, pixelsOf } from "./picture-size.ts";
import { countPngFrames } from "./png-chunks.ts";

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

/** A picture that may be decoded. */
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
