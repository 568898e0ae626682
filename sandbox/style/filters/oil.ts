// Oil paint: strokes of three brushes, broad ones first, laid along what they paint.
import { blur, findEdges, light } from "./planes.ts";
import {
  blankLike,
  chance,
  colourNear,
  type Filter,
  placeIn,
  type Raster,
  saturate,
  scaleOf,
} from "./raster.ts";
import { flatten } from "./kuwahara.ts";

/** Widths and lengths in pixels of a picture of 1,000; fine brushes only go where there is something to see. */
const BRUSHES = [
  { width: 22, length: 60, edge: -1 },
  { width: 10, length: 34, edge: -1 },
  { width: 5, length: 18, edge: 0.05 },
] as const;

export const paintOil: Filter = (picture) => {
  const scale = scaleOf(picture);
  const calm = flatten(picture, 3 * scale);
  const plane = blur(light(calm), 3 * scale);
  const { direction } = findEdges(blur(plane, 6 * scale));
  const { strength } = findEdges(plane);
  const canvas = blankLike(picture, [92, 74, 58]);
  for (const [layer, brush] of BRUSHES.entries()) {
    const width = Math.max(2, brush.width * scale);
    const length = Math.max(4, brush.length * scale);
    const step = Math.max(2, width * 0.55);
    for (const { x, y, random } of scatter(picture, step, layer)) {
      const index = placeIn(picture, x, y);
      if ((strength[index] ?? 0) > brush.edge) {
        const angle = (direction[index] ?? 0) + Math.PI / 2 + (random - 0.5) * 0.5;
        stroke(canvas, calm, {
          x,
          y,
          angle,
          width,
          length: length * (0.6 + 0.7 * random),
          seed: index + layer,
        });
      }
    }
  }
  return canvas;
};

/** Places on a grid, each moved a little, in an order without rows. */
function scatter(
  { width, height }: Raster,
  step: number,
  layer: number,
): { readonly x: number; readonly y: number; readonly random: number }[] {
  const places = [];
  for (let row = 0; row * step < height; row += 1) {
    for (let column = 0; column * step < width; column += 1) {
      const [a, b] = [chance(column, row, layer), chance(row, column, layer + 7)];
      places.push({ x: (column + a) * step, y: (row + b) * step, random: chance(row, column, layer + 13) });
    }
  }
  return places.toSorted((a, b) => a.random - b.random);
}

interface Stroke {
  readonly x: number;
  readonly y: number;
  /** Along the stroke. */
  readonly angle: number;
  readonly width: number;
  readonly length: number;
  readonly seed: number;
}

/** Every bristle carries a little more or less paint. */
function stroke(canvas: Raster, source: Raster, { x, y, angle, width, length, seed }: Stroke): void {
  const { data } = canvas;
  const tone = (chance(seed, 1) - 0.5) * 26;
  const paint = saturate(colourNear(source, x, y), 1.35);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const bristles = Array.from({ length: 11 }, (_, at) => (chance(seed, at) - 0.5) * 30 + tone - (at - 5) * 2);
  const reachX = Math.abs((cos * length) / 2) + Math.abs((sin * width) / 2);
  const reachY = Math.abs((sin * length) / 2) + Math.abs((cos * width) / 2);
  const [top, bottom] = [
    Math.max(0, Math.ceil(y - reachY)),
    Math.min(canvas.height - 1, Math.floor(y + reachY)),
  ];
  const [left, right] = [
    Math.max(0, Math.ceil(x - reachX)),
    Math.min(canvas.width - 1, Math.floor(x + reachX)),
  ];
  for (let row = top; row <= bottom; row += 1) {
    for (let column = left; column <= right; column += 1) {
      const [dx, dy] = [column - x, row - y];
      const along = ((dx * cos + dy * sin) * 2) / length;
      const across = ((dy * cos - dx * sin) * 2) / width;
      const distance = along * along * along * along + across * across;
      if (distance < 1) {
        const cover = Math.min(1, (1 - distance) * 4) * 0.95;
        const bristle = bristles[Math.round(across * 5) + 5] ?? 0;
        const at = (row * canvas.width + column) * 3;
        for (let channel = 0; channel < 3; channel += 1) {
          const under = data[at + channel] ?? 0;
          data[at + channel] = under + ((paint[channel] ?? 0) + bristle - under) * cover;
        }
      }
    }
  }
}
