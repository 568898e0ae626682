// Draws charts. Words come from the model.
import type { ChartModel } from "./chart-lines.ts";
import { loadDotFont } from "./dot-screen.ts";
import { encodeIndexedPng } from "./indexed-png.ts";

/** Draws charts; loads all that it takes at the first one. */
export interface ChartPicture {
  /** A PNG, 1,000 pixels wide and 520 high, of at most 40 KB. Throws RangeError for a zone that there is not. */
  draw(model: ChartModel): Promise<Uint8Array>;
}

/** Builds the painter. What cannot be loaded is tried again with the next chart. */
export function createChartPicture(): ChartPicture {
  let loading: ReturnType<typeof load> | undefined;

  return {
    async draw(model) {
      loading ??= load().catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
      const { font, drawChart } = await loading;
      return encodeIndexedPng(drawChart(model, font));
    },
  };
}

async function load() {
  const [font, { drawChart }] = await Promise.all([loadDotFont(), import("./chart-drawing.ts")]);
  return { font, drawChart };
}
