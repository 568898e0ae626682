// Pictures as plain numbers, and the few things that every filter does with them.

/** Red, green and blue from 0 to 255, row by row. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

/** One number for each pixel. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

export type Colour = readonly [red: number, green: number, blue: number];

/** Makes another picture of the same kind; the same picture always becomes the same. */
export type Filter = (picture: Raster) => Raster;

/** A picture of one colour. */
export function blankLike({ width, height }: Raster, [red, green, blue]: Colour): Raster {
  const data = new Uint8ClampedArray(width * height * 3);
  for (let at = 0; at < data.length; at += 3) {
    data[at] = red;
    data[at + 1] = green;
    data[at + 2] = blue;
  }
  return { width, height, data };
}

/** A picture whose every pixel is worked out by itself. `paint` is given the pixel's number and its place. */
export function paintEach(
  { width, height }: Raster,
  paint: (index: number, x: number, y: number) => Colour,
): Raster {
  const data = new Uint8ClampedArray(width * height * 3);
  let at = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [red, green, blue] = paint(at / 3, x, y);
      data[at] = red;
      data[at + 1] = green;
      data[at + 2] = blue;
      at += 3;
    }
  }
  return { width, height, data };
}

/** The colour of a pixel by its number. */
export function colourAt({ data }: Raster, index: number): Colour {
  const at = index * 3;
  return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
}

/** The colour at a place, the nearest one for places outside. */
export function colourNear(picture: Raster, x: number, y: number): Colour {
  return colourAt(picture, placeIn(picture, x, y));
}

/** The number of the pixel at a place, of the nearest one for places outside. */
export function placeIn(
  { width, height }: { readonly width: number; readonly height: number },
  x: number,
  y: number,
): number {
  const column = Math.min(width - 1, Math.max(0, Math.round(x)));
  return Math.min(height - 1, Math.max(0, Math.round(y))) * width + column;
}

/** From one colour (share 0) to another (share 1). */
export function mixColours(from: Colour, to: Colour, share: number): Colour {
  return [
    from[0] + (to[0] - from[0]) * share,
    from[1] + (to[1] - from[1]) * share,
    from[2] + (to[2] - from[2]) * share,
  ];
}

/** How bright a colour looks, 0 to 1. */
export function lightness([red, green, blue]: Colour): number {
  return (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
}

/** A colour with its greyness taken out of it (amount above 1) or put into it. */
export function saturate(colour: Colour, amount: number): Colour {
  const grey = lightness(colour) * 255;
  return mixColours([grey, grey, grey], colour, amount);
}

/** A length that looks the same in pictures of any size: 1 in one whose longer side has 1,000 pixels. */
export function scaleOf({ width, height }: Raster): number {
  return Math.max(width, height) / 1000;
}

/** The same "random" number, 0 to 1, for the same numbers. */
export function chance(a: number, b = 0, c = 0): number {
  let mixed = Math.imul(a | 0, 0x9e3779b1) ^ Math.imul(b | 0, 0x85ebca6b) ^ Math.imul(c | 0, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 4_294_967_296;
}

/** Smooth from 0 at `low` to 1 at `high`. */
export function smoothStep(low: number, high: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - low) / (high - low)));
  return t * t * (3 - 2 * t);
}
