// The type of a picture that the bot passes on, the reasons to refuse one, and the arithmetic of sizes.
export const PICTURE_PROBLEMS = [
  /** Not a supported format, whatever its name says. */
  "not-a-picture",
  /** HEIC, the format of iPhones; it has to be sent as JPEG. */
  "heic",
  /** SVG and other drawings. */
  "drawing",
  /** More than 40 million pixels, or fewer in formats that need much memory (AVIF about 8, WebP 20 million). */
  "too-many-pixels",
  /** More than 100 frames. */
  "too-many-frames",
  "damaged",
  "too-slow",
] as const;

export type PictureProblem = (typeof PICTURE_PROBLEMS)[number];

/** A picture that cannot be used. `message` is for logs. */
export class PictureError extends Error {
  override readonly name = "PictureError";
  readonly problem: PictureProblem;

  constructor(problem: PictureProblem, cause?: unknown) {
    super(problem, cause === undefined ? undefined : { cause });
    this.problem = problem;
  }
}

/** A picture that the bot passes on: upright, sRGB, without metadata, at most 16,383 pixels a side. */
export interface Picture {
  readonly bytes: Uint8Array;
  readonly contentType: "image/jpeg" | "image/png" | "image/webp";
  readonly width: number;
  readonly height: number;
}

export interface PreparedPicture extends Picture {
  /** The original was animated; this is its first frame. */
  readonly wasAnimated: boolean;
  /** The original had more pixels. */
  readonly wasReduced: boolean;
}

// Sizes in pixels. Scaling keeps the proportions, and no side is less than 1.

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The most pixels that a picture may have, three times as many as a phone's usual picture. */
export const MAX_PIXELS = 40_000_000;

export function pixelsOf({ width, height }: PictureSize): number {
  return width * height;
}

export function fitSide(size: PictureSize, maxSide: number): PictureSize {
  return scaleSize(size, Math.min(1, maxSide / Math.max(size.width, size.height)), Math.round);
}

export function fitPixels(size: PictureSize, maxPixels: number): PictureSize {
  return scaleSize(size, Math.min(1, Math.sqrt(maxPixels / pixelsOf(size))));
}

/** Scales a size, up or down, to the largest that fits into a box. */
export function fitBox(size: PictureSize, box: PictureSize): PictureSize {
  return scaleSize(size, Math.min(box.width / size.width, box.height / size.height));
}

export function scaleSize(size: PictureSize, factor: number, toWhole = Math.floor): PictureSize {
  const side = (length: number): number => Math.max(1, toWhole(length * factor));
  return { width: side(size.width), height: side(size.height) };
}
