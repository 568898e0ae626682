// Comic: few flat colours, black ink, and dots in the shadows.
import { blur, findColourEdges } from "./planes.ts";
import { flatten } from "./kuwahara.ts";
import {
  colourAt,
  type Filter,
  lightness,
  mixColours,
  paintEach,
  saturate,
  scaleOf,
  smoothStep,
} from "./raster.ts";

const LEVELS = 5;
const INK = [18, 16, 24] as const;

export const inkComic: Filter = (picture) => {
  const scale = scaleOf(picture);
  const flat = flatten(flatten(picture, 4 * scale), 3 * scale);
  const edges = blur({ ...picture, data: findColourEdges(flat, 1.2 * scale) }, 0.8 * scale).data;
  const cell = Math.max(4, 7 * scale);
  return paintEach(picture, (index, x, y) => {
    const colour = saturate(colourAt(flat, index), 1.7);
    const tone = lightness(colour);
    const stepped = (Math.floor(tone * LEVELS) + 0.62) / LEVELS;
    const factor = tone > 0.02 ? stepped / tone : 1;
    const [red, green, blue] = colour;
    let painted = [red * factor, green * factor, blue * factor] as const;
    if (tone < 0.42) {
      const [u, v] = [(x + y) / cell, (x - y) / cell];
      const dot = Math.hypot(u - Math.round(u), v - Math.round(v));
      const size = 0.5 * smoothStep(0.42, 0.1, tone);
      painted = [...mixColours(painted, INK, 0.75 * smoothStep(size + 0.08, size - 0.08, dot))] as [
        number,
        number,
        number,
      ];
    }
    return mixColours(painted, INK, smoothStep(0.085, 0.15, edges[index] ?? 0));
  });
};
