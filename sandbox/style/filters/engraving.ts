// Engraving: one set of lines that bend with the picture and swell where it is dark, as on a banknote.
import { blur, findColourEdges, stretchedLight } from "./planes.ts";
import { type Filter, mixColours, paintEach, scaleOf, smoothStep } from "./raster.ts";

const PAPER = [246, 240, 224] as const;
const INK = [26, 44, 52] as const;

export const engrave: Filter = (picture) => {
  const scale = scaleOf(picture);
  const plane = stretchedLight(picture);
  const tones = blur(plane, 1.5 * scale);
  const shape = blur(plane, 14 * scale);
  const edges = findColourEdges(picture, 1 * scale);
  const spacing = Math.max(3.5, 6.5 * scale);
  return paintEach(picture, (index, x, y) => {
    const tone = tones.data[index] ?? 1;
    // The light stands in for height: lines climb where it rises.
    const lift = (shape.data[index] ?? 0) * 30 * scale + Math.sin(x / (90 * scale)) * 4 * scale;
    const first = waveAt((y * 0.94 - x * 0.34 + lift) / spacing);
    const second = waveAt((y * 0.5 + x * 0.87 - lift) / spacing);
    const dark = (1 - tone) ** 1.25;
    const line = smoothStep(-0.12, 0.12, dark * 0.92 - first + 0.04);
    const cross = smoothStep(-0.12, 0.12, (dark - 0.62) * 1.5 - second);
    const outline = smoothStep(0.1, 0.26, edges[index] ?? 0);
    return mixColours(PAPER, INK, Math.max(line, cross, outline));
  });
};

/** From 0 in the middle of a line to 1 in the middle between two. */
function waveAt(turns: number): number {
  return Math.abs(turns - Math.round(turns)) * 2;
}
