// Pictures that the bot draws itself.
import type { BoardPictureModel } from "./board-picture-model.ts";
import { createBoardPicture } from "./board-picture.ts";
import type { ChartModel } from "./chart-lines.ts";
import { createChartPicture } from "./chart-picture.ts";

/** Draws what a view has worked out. */
export interface Pictures {
  /** A board as a PNG. */
  board(model: BoardPictureModel): Promise<Uint8Array>;
  /** A chart as a PNG. */
  chart(model: ChartModel): Promise<Uint8Array>;
}

/** Loads the canvas when it is first asked for a picture. */
export function createDrawing(): Pictures {
  const picture = createBoardPicture();
  const chart = createChartPicture();
  return { board: (model) => picture.draw(model), chart: (model) => chart.draw(model) };
}
