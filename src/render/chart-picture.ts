// Draws charts. Words come from the model.
import type { ChartModel } from "./chart-lines.ts";
import { loadDotFont, loadOnce } from "./dot-screen.ts";
import { encodeIndexedPng } from "./indexed-png.ts";

/** Draws charts; loads all that it takes at the first one. */
export function createChartPicture() {
  const load = loadOnce(async () => {
    const [font, { drawChart }] = await Promise.all([loadDotFont(), import("./chart-drawing.ts")]);
    return (model: ChartModel) => drawChart(model, font);
  });

  return {
    /** A PNG, 1,000 pixels wide and 520 high, of at most 40 KB. Throws RangeError for a zone that there is not. */
    draw: async (model: ChartModel): Promise<Uint8Array> => {
      const draw = await load();
      return encodeIndexedPng(draw(model));
    },
  };
}
