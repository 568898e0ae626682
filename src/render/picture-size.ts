// Sizes of pictures in pixels, always in proportion and never below one.

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The most that any picture may have: three times what a phone's usual one has. */
export const MAX_PIXELS = 40_000_000;

export function pixelsOf({ width, height }: PictureSize): number {
  return width * height;
}

/** The size, or the one in proportion whose longer side is so long. */
export function fitSide(size: PictureSize, maxSide: number): PictureSize {
  return scaleSize(size, maxSide / Math.max(size.width, size.height), Math.round);
}

/** The size, or the largest in proportion of at most so many pixels. */
export function fitPixels(size: PictureSize, maxPixels: number): PictureSize {
  return scaleSize(size, Math.sqrt(maxPixels / pixelsOf(size)));
}

/** The largest in proportion that goes into a box. */
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
