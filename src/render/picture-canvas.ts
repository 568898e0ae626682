// A picture ready to be encoded as often as it takes, inside the picture process.
import sharp, { type Sharp } from "sharp";
import { type OpenPicture, orDamaged } from "./open-picture.ts";
import { type PictureSize, fitPixels, pixelsOf } from "./picture-size.ts";

export interface Canvas {
  readonly size: PictureSize;
  /** Something shows through somewhere. */
  readonly isTransparent: boolean;
  draw(size: PictureSize): Sharp;
}

/** What is kept decoded between attempts at encoding it; a larger picture is decoded again for each. */
const KEPT_PIXELS = 6_000_000;

/** Puts an open picture on a canvas of this size; smaller where it shows through and is of more than 6 megapixels. */
export async function createCanvas(picture: OpenPicture, size: PictureSize): Promise<Canvas> {
  const draw = (at: PictureSize): Sharp => resize(picture.decode(), picture, at);
  if (pixelsOf(size) > KEPT_PIXELS && !(picture.hasAlpha && (await showsThrough(picture)))) {
    return { size, isTransparent: false, draw: (at) => draw(at).removeAlpha() };
  }
  const kept = fitPixels(size, KEPT_PIXELS);
  return createRawCanvas(kept, await orDamaged(draw(kept).ensureAlpha().raw().toBuffer()));
}

/** A canvas of decoded pixels: red, green, blue and how opaque, a byte each. */
export function createRawCanvas(size: PictureSize, rgba: Uint8Array): Canvas {
  const isTransparent = !isOpaque(rgba, 3, 4);
  return {
    size,
    isTransparent,
    draw(at) {
      const drawn = resize(sharp(rgba, { raw: { ...size, channels: 4 } }), size, at);
      return isTransparent ? drawn : drawn.removeAlpha();
    },
  };
}

function resize(pipeline: Sharp, from: PictureSize, { width, height }: PictureSize): Sharp {
  return width === from.width && height === from.height
    ? pipeline
    : pipeline.resize({ width, height, fit: "fill" });
}

/** Most screenshots have a channel for what shows through, and nothing does. */
async function showsThrough(picture: OpenPicture): Promise<boolean> {
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
