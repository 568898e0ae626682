// Pointillism: dots of pure colour, two layers of them, that the eye mixes.
import {
  chance,
  type Colour,
  colourNear,
  type Filter,
  blankLike,
  type Raster,
  saturate,
  scaleOf,
} from "./raster.ts";
import { flatten } from "./kuwahara.ts";

const LAYERS = [
  { radius: 8, step: 9, stray: 26 },
  { radius: 5, step: 6.5, stray: 46 },
  { radius: 3.2, step: 5.5, stray: 62 },
] as const;

export const dotPoints: Filter = (picture) => {
  const scale = scaleOf(picture);
  const calm = flatten(picture, 2 * scale);
  const canvas = blankLike(picture, [226, 214, 190]);
  for (const [layer, { radius, step, stray }] of LAYERS.entries()) {
    const size = Math.max(1.5, radius * scale);
    const gap = Math.max(2.5, step * scale);
    for (let row = 0; row * gap < picture.height + gap; row += 1) {
      for (let column = 0; column * gap < picture.width + gap; column += 1) {
        const x = (column + chance(column, row, layer)) * gap;
        const y = (row + chance(row, column, layer + 31)) * gap;
        const colour = strayed(
          saturate(colourNear(calm, x, y), 1.5),
          stray,
          column * 7919 + row * 31 + layer,
        );
        dot(canvas, x, y, size * (0.7 + 0.5 * chance(row, column, layer + 3)), colour);
      }
    }
  }
  return canvas;
};

/** Off by some of each colour, so that neighbours differ. */
function strayed([red, green, blue]: Colour, stray: number, seed: number): Colour {
  const off = (which: number): number => (chance(seed, which) - 0.5) * stray;
  return [red + off(1), green + off(2), blue + off(3)];
}

function dot(canvas: Raster, x: number, y: number, radius: number, colour: Colour): void {
  const { width, height, data } = canvas;
  const reach = Math.ceil(radius);
  for (
    let row = Math.max(0, Math.floor(y) - reach);
    row <= Math.min(height - 1, Math.floor(y) + reach);
    row += 1
  ) {
    for (
      let column = Math.max(0, Math.floor(x) - reach);
      column <= Math.min(width - 1, Math.floor(x) + reach);
      column += 1
    ) {
      const cover = Math.min(1, Math.max(0, radius - Math.hypot(column - x, row - y) + 0.5)) * 0.94;
      const at = (row * width + column) * 3;
      for (let channel = 0; channel < 3; channel += 1) {
        const under = data[at + channel] ?? 0;
        data[at + channel] = under + ((colour[channel] ?? 0) - under) * cover;
      }
    }
  }
}
