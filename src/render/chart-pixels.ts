// Lays letters of dots over what was plotted: both in one palette, so that a chart weighs little.
import { BACKGROUND, BASE, GRID, LINES } from "./chart-style.ts";
import type { IndexedPicture } from "./indexed-png.ts";

/** A palette has no more. */
const MOST_COLOURS = 256;

/** The plot, red, green, blue and how opaque a byte each, wherever the letters' picture has its background. */
export function layOver(rgba: Uint8ClampedArray, letters: IndexedPicture): IndexedPicture {
  const { width, height } = letters;
  const palette = [...letters.palette];
  const scanlines = new Uint8Array(letters.scanlines);
  /** Index by colour, of which five bits of each channel count. */
  const indexes = new Int16Array(1 << 15).fill(-1);
  indexes[keyOf(BACKGROUND)] = 0;
  for (const colour of [GRID, BASE, ...LINES]) {
    indexes[keyOf(colour)] = palette.push(colour) - 1;
  }

  function indexOf(colour: number): number {
    const key = keyOf(colour);
    const known = indexes[key] ?? -1;
    if (known !== -1) {
      return known;
    }
    const made = palette.length < MOST_COLOURS ? palette.push(colour) - 1 : nearest(palette, colour);
    indexes[key] = made;
    return made;
  }

  // Most pixels are as the one before.
  let [lastColour, lastIndex] = [BACKGROUND, 0];
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const at = row * (width + 1) + 1 + column;
      const from = (row * width + column) * 4;
      const colour = ((rgba[from] ?? 0) << 16) | ((rgba[from + 1] ?? 0) << 8) | (rgba[from + 2] ?? 0);
      if (colour !== lastColour) {
        [lastColour, lastIndex] = [colour, indexOf(colour)];
      }
      if (scanlines[at] === 0) {
        scanlines[at] = lastIndex;
      }
    }
  }
  return { width, height, scanlines, palette };
}

function keyOf(colour: number): number {
  return ((colour >> 9) & 0x7c00) | ((colour >> 6) & 0x3e0) | ((colour >> 3) & 0x1f);
}

function nearest(palette: readonly number[], colour: number): number {
  const far = (other: number): number =>
    [16, 8, 0].reduce((sum, shift) => sum + (((other >> shift) & 255) - ((colour >> shift) & 255)) ** 2, 0);
  const distances = palette.map(far);
  return distances.indexOf(Math.min(...distances));
}
