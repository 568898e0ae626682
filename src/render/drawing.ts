// Pictures that the bot draws itself.
import { createBoardPicture } from "./board-picture.ts";
import { createChartPicture } from "./chart-picture.ts";
import { createJourneyPicture } from "./journey-picture.ts";

export type Pictures = ReturnType<typeof createDrawing>;

/** Draws boards, charts and journeys as PNG. Loads the canvas when it is first asked for a picture. */
export function createDrawing() {
  return {
    board: createBoardPicture().draw,
    chart: createChartPicture().draw,
    journey: createJourneyPicture().draw,
  };
}
