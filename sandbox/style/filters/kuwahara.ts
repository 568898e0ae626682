// Smooths a picture into patches with clear borders, as a flat brush would.
import type { Raster } from "./raster.ts";

/**
 * Kuwahara's filter: each pixel takes the mean of that square at one of its four corners in which the light varies
 * least. `radius` is the squares' size in pixels.
 */
export function flatten({ width, height, data }: Raster, radius: number): Raster {
  const size = Math.max(1, Math.round(radius));
  // Sums over everything above and left of a pixel make any square's sum four look-ups.
  const stride = width + 1;
  const sums = [0, 1, 2, 3, 4].map(() => new Float64Array(stride * (height + 1)));
  const [reds, greens, blues, lights, squares] = sums;
  if (!reds || !greens || !blues || !lights || !squares) {
    throw new RangeError("five tables were made");
  }
  for (let y = 0; y < height; y += 1) {
    let [red, green, blue, light, square] = [0, 0, 0, 0, 0];
    for (let x = 0; x < width; x += 1) {
      const from = (y * width + x) * 3;
      const [r, g, b] = [data[from] ?? 0, data[from + 1] ?? 0, data[from + 2] ?? 0];
      const value = 0.299 * r + 0.587 * g + 0.114 * b;
      const at = (y + 1) * stride + x + 1;
      reds[at] = (red += r) + (reds[at - stride] ?? 0);
      greens[at] = (green += g) + (greens[at - stride] ?? 0);
      blues[at] = (blue += b) + (blues[at - stride] ?? 0);
      lights[at] = (light += value) + (lights[at - stride] ?? 0);
      squares[at] = (square += value * value) + (squares[at - stride] ?? 0);
    }
  }
  const result = new Uint8ClampedArray(data.length);
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = [Math.max(0, y - size), Math.min(height, y + size + 1)];
    for (let x = 0; x < width; x += 1) {
      const [left, right] = [Math.max(0, x - size), Math.min(width, x + size + 1)];
      let least = Infinity;
      let best = [0, 0, 0, 0, 1];
      for (let corner = 0; corner < 4; corner += 1) {
        const a = (corner < 2 ? top : y) * stride;
        const c = (corner < 2 ? y + 1 : bottom) * stride;
        const l = corner % 2 === 0 ? left : x;
        const r = corner % 2 === 0 ? x + 1 : right;
        const [i, j, k, m] = [a + l, a + r, c + l, c + r];
        const count = ((c - a) / stride) * (r - l);
        const mean = sumOf(lights, i, j, k, m) / count;
        const variance = sumOf(squares, i, j, k, m) / count - mean * mean;
        if (variance < least) {
          least = variance;
          best = [i, j, k, m, count];
        }
      }
      const [i = 0, j = 0, k = 0, m = 0, count = 1] = best;
      const to = (y * width + x) * 3;
      result[to] = sumOf(reds, i, j, k, m) / count;
      result[to + 1] = sumOf(greens, i, j, k, m) / count;
      result[to + 2] = sumOf(blues, i, j, k, m) / count;
    }
  }
  return { width, height, data: result };
}

function sumOf(table: Float64Array, i: number, j: number, k: number, m: number): number {
  return (table[m] ?? 0) - (table[j] ?? 0) - (table[k] ?? 0) + (table[i] ?? 0);
}
