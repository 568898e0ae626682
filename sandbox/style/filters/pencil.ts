// Pencil: outlines, soft shading, and shadows hatched in three directions, the darker the more.
import { blur, findColourEdges, stretchedLight } from "./planes.ts";
import { chance, type Filter, mixColours, paintEach, scaleOf, smoothStep } from "./raster.ts";

/** Below which lightness each direction of hatching begins, and how it runs. */
const HATCHES = [
  { below: 0.7, angle: 0.8 },
  { below: 0.42, angle: 2.25 },
  { below: 0.22, angle: 0.2 },
] as const;

const LEAD = [46, 44, 50] as const;
const PAPER = [250, 248, 243] as const;

export const drawPencil: Filter = (picture) => {
  const scale = scaleOf(picture);
  const tones = blur(stretchedLight(picture), 2 * scale);
  const edges = findColourEdges(picture, 1 * scale);
  const spacing = Math.max(3, 4.6 * scale);
  const tooth = Math.max(1, scale);
  return paintEach(picture, (index, x, y) => {
    const tone = (tones.data[index] ?? 1) ** 0.75;
    let hatch = 0;
    for (const { below, angle } of HATCHES) {
      const along = x * Math.cos(angle) + y * Math.sin(angle);
      const across = y * Math.cos(angle) - x * Math.sin(angle) + Math.sin(along / (60 * scale)) * 2 * scale;
      const turns = across / spacing;
      const line = 1 - Math.abs(turns - Math.round(turns)) * 2;
      const depth = smoothStep(below, below - 0.35, tone);
      hatch = Math.max(hatch, depth * smoothStep(0.75 - 0.55 * depth, 1, line));
    }
    const shade = smoothStep(0.95, 0, tone) * 0.62;
    const outline = smoothStep(0.06, 0.22, edges[index] ?? 0);
    // The paper's tooth lets the lead skip.
    const skip = 0.75 + 0.25 * chance(Math.floor(x / tooth), Math.floor(y / tooth), 5);
    return mixColours(PAPER, LEAD, Math.min(1, Math.max(shade + hatch * 0.4, outline) * skip));
  });
};
