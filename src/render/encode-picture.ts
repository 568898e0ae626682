// Encodes a picture within a size limit, inside the picture process: lowers the quality first, then the dimensions.
import sharp, { type Sharp } from "sharp";
import { type OpenPicture, openPicture, orDamaged } from "./open-picture.ts";
import {
  type PictureSize,
  type Picture,
  type PreparedPicture,
  fitPixels,
  fitSide,
  pixelsOf,
  scaleSize,
} from "./pictures.ts";
import type { EncodeRequest } from "./picture-process.ts";

interface Encoding {
  readonly contentType: Picture["contentType"];
  readonly encode: (drawn: Sharp, size: PictureSize) => Sharp;
}

/**
 * Up to this size, a JPEG gets full chroma resolution and optimised Huffman tables, which save some 7 %. In a larger
 * one nobody sees the difference. Measured for 39 megapixels, the tables take 217 MB and three times as long, and full
 * chroma doubles the size.
 */
const FINE_PIXELS = 6_000_000;
/** If a picture exceeds the limit by more than this factor, a lower quality is not enough either. */
const WITHIN_REACH = 3;

const PNG: Encoding = { contentType: "image/png", encode: (drawn) => drawn.png({ compressionLevel: 6 }) };

/** Encodings, from the best quality to the smallest file. */
const OPAQUE = [jpeg(92), jpeg(85), jpeg(75)];
const TRANSPARENT = { png: [PNG], webp: [webp(90), webp(75)] } as const;

/** Encodes within the limits. A `maxBytes` of 1 KiB is always possible. Throws PictureError. */
export async function encodePicture(bytes: Uint8Array, request: EncodeRequest): Promise<PreparedPicture> {
  const picture = await openPicture(bytes);
  const canvas = await createCanvas(picture, fitSide(picture, request.maxSide));
  const encoded = await encodeCanvas(canvas, request);
  return {
    ...encoded,
    wasAnimated: picture.isAnimated,
    wasReduced: pixelsOf(encoded) < pixelsOf(picture),
  };
}

export async function encodeCanvas(
  canvas: Canvas,
  { maxBytes, transparentAs }: Pick<EncodeRequest, "maxBytes" | "transparentAs">,
): Promise<Picture> {
  const encodings = canvas.isTransparent ? transparentAs.flatMap((kind) => TRANSPARENT[kind]) : OPAQUE;
  for (let size = canvas.size; ;) {
    let sizeBytes = 0;
    for (const { contentType, encode } of encodings) {
      const bytes = await orDamaged(encode(canvas.draw(size), size).toBuffer());
      sizeBytes = bytes.byteLength;
      if (sizeBytes <= maxBytes) {
        return { bytes, contentType, ...size };
      }
      if (contentType === "image/jpeg" && sizeBytes > maxBytes * WITHIN_REACH) {
        break;
      }
    }
    if (pixelsOf(size) === 1) {
      throw new Error(`no picture has ${maxBytes} bytes or less`);
    }
    size = shrink(size, Math.sqrt(maxBytes / sizeBytes));
  }
}

/** Shrinks somewhat more than guessed, so that few attempts are needed, but at most to a quarter. */
function shrink(size: PictureSize, guess: number): PictureSize {
  return scaleSize(size, Math.min(0.9, Math.max(0.25, guess * 0.95)));
}

function jpeg(quality: number): Encoding {
  return {
    contentType: "image/jpeg",
    encode(drawn, size) {
      const isFine = pixelsOf(size) <= FINE_PIXELS;
      const chromaSubsampling = isFine && quality > 90 ? "4:4:4" : "4:2:0";
      return drawn.jpeg({ quality, chromaSubsampling, optimiseCoding: isFine });
    },
  };
}

function webp(quality: number): Encoding {
  return { contentType: "image/webp", encode: (drawn) => drawn.webp({ quality }) };
}

type Canvas = ReturnType<typeof createRawCanvas>;

/** A picture up to this size stays decoded between attempts to encode it; a larger one is decoded for each attempt. */
const KEPT_PIXELS = 6_000_000;

/** Creates a canvas of this size; for a transparent picture, one of at most 6 megapixels. */
async function createCanvas(picture: OpenPicture, size: PictureSize): Promise<Canvas> {
  const draw = (at: PictureSize): Sharp => resizeTo(picture.decode(), picture, at);
  if (pixelsOf(size) > KEPT_PIXELS && !(picture.hasAlpha && (await hasTransparentPixels(picture)))) {
    return { size, isTransparent: false, draw: (at) => draw(at).removeAlpha() };
  }
  const kept = fitPixels(size, KEPT_PIXELS);
  return createRawCanvas(kept, await orDamaged(draw(kept).ensureAlpha().raw().toBuffer()));
}

export function createRawCanvas(size: PictureSize, rgba: Uint8Array) {
  const isTransparent = !isOpaque(rgba, 3, 4);
  return {
    size,
    isTransparent,
    draw(at: PictureSize): Sharp {
      const drawn = resizeTo(sharp(rgba, { raw: { ...size, channels: 4 } }), size, at);
      return isTransparent ? drawn : drawn.removeAlpha();
    },
  };
}

function resizeTo(pipeline: Sharp, from: PictureSize, { width, height }: PictureSize): Sharp {
  return width === from.width && height === from.height
    ? pipeline
    : pipeline.resize({ width, height, fit: "fill" });
}

/** Whether any pixel is transparent. Most screenshots have an alpha channel but no transparent pixel. */
async function hasTransparentPixels(picture: OpenPicture): Promise<boolean> {
  return !isOpaque(await orDamaged(picture.decode().extractChannel("alpha").raw().toBuffer()), 0, 1);
}

function isOpaque(bytes: Uint8Array, first: number, step: number): boolean {
  for (let at = first; at < bytes.length; at += step) {
    if (bytes[at] !== 255) {
      return false;
    }
  }
  return true;
}
