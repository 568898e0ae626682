// A picture that somebody sent, as it is passed on; and why one is not taken.
import type { PictureType } from "../core/picture-type.ts";

export const PICTURE_PROBLEMS = [
  /** Not one of the kinds that are taken, whatever its name says. */
  "not-a-picture",
  /** HEIC, as phones make it: to be sent as JPEG. */
  "heic",
  /** SVG and other drawings. */
  "drawing",
  /** More pixels than are decoded: 40 million, fewer of what takes much memory (AVIF about 8, WebP 20). */
  "too-many-pixels",
  /** More than 100 frames. */
  "too-many-frames",
  /** Its bytes break off or make no sense. */
  "damaged",
  /** It took too long to decode. */
  "too-slow",
] as const;

export type PictureProblem = (typeof PICTURE_PROBLEMS)[number];

/** A picture that is not taken. `message` is for logs. */
export class PictureError extends Error {
  override readonly name = "PictureError";
  readonly problem: PictureProblem;

  constructor(problem: PictureProblem, cause?: unknown) {
    super(problem, cause === undefined ? undefined : { cause });
    this.problem = problem;
  }
}

/** A picture as we pass it on: upright, sRGB, without any metadata, at most 16,383 pixels a side. */
export interface Picture {
  readonly bytes: Uint8Array;
  readonly contentType: "image/jpeg" | "image/png" | "image/webp";
  readonly width: number;
  readonly height: number;
}

export interface PreparedPicture extends Picture {
  readonly type: PictureType;
  /** It moved; this is its first frame. */
  readonly wasAnimated: boolean;
  /** It was larger. */
  readonly wasReduced: boolean;
}

// Sizes of pictures in pixels, always in proportion and never below one.

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The most pixels that a picture may have: three times as many as a phone's usual picture. */
export const MAX_PIXELS = 40_000_000;

export function pixelsOf({ width, height }: PictureSize): number {
  return width * height;
}

/** Scales a size down, in proportion, so that its longer side is at most `maxSide`. */
export function fitSide(size: PictureSize, maxSide: number): PictureSize {
  return scaleSize(size, maxSide / Math.max(size.width, size.height), Math.round);
}

/** Scales a size down, in proportion, to at most `maxPixels`. */
export function fitPixels(size: PictureSize, maxPixels: number): PictureSize {
  return scaleSize(size, Math.sqrt(maxPixels / pixelsOf(size)));
}

/** Scales a size, in proportion, to the largest that fits into a box. */
export function fitBox(size: PictureSize, box: PictureSize): PictureSize {
  const factor = Math.min(box.width / size.width, box.height / size.height);
  const side = (length: number): number => Math.max(1, Math.floor(length * factor));
  return { width: side(size.width), height: side(size.height) };
}

export function scaleSize(size: PictureSize, factor: number, toWhole = Math.floor): PictureSize {
  if (factor >= 1) {
    return { width: size.width, height: size.height };
  }
  const side = (length: number): number => Math.max(1, toWhole(length * factor));
  return { width: side(size.width), height: side(size.height) };
}
