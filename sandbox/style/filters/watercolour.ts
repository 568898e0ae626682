// Watercolour: washes that are light in the middle and dark where they dried at the rim, on rough paper.
import { blur, findEdges, light } from "./planes.ts";
import { flatten } from "./kuwahara.ts";
import {
  chance,
  colourAt,
  type Filter,
  mixColours,
  paintEach,
  type Plane,
  type Raster,
  saturate,
  scaleOf,
} from "./raster.ts";

const PAPER = [250, 246, 236] as const;

export const paintWatercolour: Filter = (picture) => {
  const scale = scaleOf(picture);
  const washes = flatten(flatten(wobble(picture, 5 * scale), 5 * scale), 7 * scale);
  const rims = blur({ ...light(washes), data: findEdges(light(washes)).strength }, 1.5 * scale);
  const [wide, narrow] = [cloud(picture, 70 * scale, 3), cloud(picture, 17 * scale, 4)];
  const grain = cloud(picture, 2.2 * scale, 11);
  return paintEach(picture, (index) => {
    const colour = saturate(colourAt(washes, index), 1.5);
    const pigment = (wide.data[index] ?? 0.5) * 0.55 + (narrow.data[index] ?? 0.5) * 0.45;
    const water = 0.36 + 0.42 * (pigment - 0.5);
    const rim = Math.min(0.45, (rims.data[index] ?? 0) * 2.2);
    const tooth = ((grain.data[index] ?? 0.5) - 0.5) * 26;
    const [red, green, blue] = mixColours(
      mixColours(colour, PAPER, Math.max(0, water - rim)),
      [30, 30, 50],
      rim * 0.5,
    );
    return [red + tooth, green + tooth, blue + tooth];
  });
};

/** Shifts everything a little this way and that, as a wet brush does. */
function wobble(picture: Raster, amount: number): Raster {
  const { width, height } = picture;
  const [xs, ys] = [cloud(picture, amount * 3, 1), cloud(picture, amount * 3, 2)];
  return paintEach(picture, (index, x, y) => {
    const fromX = Math.min(
      width - 1,
      Math.max(0, Math.round(x + ((xs.data[index] ?? 0.5) - 0.5) * amount * 2)),
    );
    const fromY = Math.min(
      height - 1,
      Math.max(0, Math.round(y + ((ys.data[index] ?? 0.5) - 0.5) * amount * 2)),
    );
    return colourAt(picture, fromY * width + fromX);
  });
}

/** Smooth noise of 0 to 1 with bumps of about `size` pixels, on a grid that leans so that it does not show. */
function cloud({ width, height }: Raster, size: number, seed: number): Plane {
  const cell = Math.max(1, size);
  const data = new Float32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [across, down] = [(x * 0.8 - y * 0.6) / cell, (x * 0.6 + y * 0.8) / cell];
      const [column, row] = [Math.floor(across), Math.floor(down)];
      const [u, v] = [smooth(across - column), smooth(down - row)];
      const top = chance(column, row, seed) * (1 - u) + chance(column + 1, row, seed) * u;
      const bottom = chance(column, row + 1, seed) * (1 - u) + chance(column + 1, row + 1, seed) * u;
      data[y * width + x] = top * (1 - v) + bottom * v;
    }
  }
  return { width, height, data };
}

function smooth(t: number): number {
  return t * t * (3 - 2 * t);
}
